"""The words that a letter rule understands, in many languages: a table, no logic.

Words in scripts without spaces between words (or with prefixes glued on) stand in ``GLUED``, all others in ``SPACED``.
"""

from __future__ import annotations

from enum import StrEnum, auto
from typing import Final


class Kind(StrEnum):
    """What a piece of a response does in its sentence."""

    LETTER = auto()  # a letter that may name an option
    CLASH = auto()  # a letter right beside the text of another option
    TEXT = auto()  # the text of an option
    LOOSE = auto()  # its words in another form or order
    STOP = auto()  # ends a sentence
    QUESTION = auto()  # ends a question
    COMMA = auto()
    LINK = auto()  # colon, dash, equals sign
    CUE = auto()  # states an answer: "answer", "I choose"
    FINAL = auto()  # states the last answer: "final answer"
    OPTION = auto()  # "option", "choice"
    LEAN = auto()  # prefers or concludes: "most likely", "so"
    BE = auto()  # "is", "sounds like"
    GLUE = auto()  # carries nothing: "the", "to be", "voice"
    SIGN = auto()  # brackets, quotes, symbols
    RIGHT = auto()  # "correct", "fits best"
    WRONG = auto()  # "incorrect", "can be ruled out"
    YES = auto()
    NO = auto()
    NOT = auto()  # rejects what follows
    NOT_SO = auto()  # rejects what went before: "ではなく"
    BUT = auto()  # ends the reach of a negation
    OR = auto()
    AND = auto()
    BETWEEN = auto()
    MAYBE = auto()  # leaves open what follows
    IF = auto()  # supposes what follows
    UNKNOWN = auto()  # "I cannot tell"
    REVISE = auto()  # "actually", "I mean": what follows replaces what went before
    RETRACT = auto()  # "scratch that": as above, even if nothing follows
    BECAUSE = auto()
    SAY = auto()  # introduces somebody's words: "says"
    OTHERS = auto()  # "the other options"
    NOTHING = auto()  # looks like a negation or a doubt, is none: "no doubt"
    THING = auto()  # what a letter can belong to without being an option: "key of", "vitamin"
    ASK = auto()  # opens a question
    WORD = auto()  # anything else


NOUNS: Final = frozenset(
    {
        *("audio", "clip", "recording", "sample", "track", "file", "segment", "excerpt", "passage", "sound", "voice"),
        *("voices", "speaker", "speakers", "person", "speech", "tone", "emotion", "mood", "music", "genre", "piece"),
        *("song", "instrument", "language", "scene", "place", "location", "interval", "word", "category"),
    }
)
"""Words that carry nothing in a sentence, but claim a letter right behind them: "Speaker B" is no option."""

SPACED: Final[dict[Kind, str]] = {
    Kind.CUE: """
        answer, answers, answered, ans, solution, choose, chose, chosen, choosing, select, selected, selecting,
        pick, picked, picking, go with, going with, go for, going for, opt for, vote for, settle on, settle for,
        decide on, i'd say, i would say, i say, i'll say, my guess, my choice, my pick, my selection, guess, the
        right one, the correct one, best choice, best option, best answer, closest match, main sound, primary
        sound, dominant sound, most prominent sound, main instrument, i mark, prediction, predicted, verdict,
        intent, label, decision, conclusion, antwort, lösung, wähle, wählen, nehme, entscheide mich für, tippe
        auf, réponse, choisis, je choisirais, je dirais, choisir, sélectionne, respuesta, elijo, escojo,
        elegiría, escogería, selecciono, solución, risposta, scelgo, seleziono, resposta, escolho, seleciono,
        escolheria, ответ, ответом, выбираю, выберу, відповідь, обираю, antwoord, kies, svar, svaret, väljer,
        vælger, velger, odpowiedź, odpowiedzią, wybieram, odpověď, vybírám, cevap, cevabı, yanıt, seçiyorum,
        valitsen, válasz, răspuns, răspunsul, aleg, απάντηση, επιλέγω, đáp án, câu trả lời, tôi chọn, chọn,
        jawaban, jawabannya, saya memilih, memilih, pilih, ans., going to say, i will say, i'd guess, vastaus
        on, my vote
    """,
    Kind.FINAL: """
        final answer, final choice, final decision, final selection, final verdict, final response, my final,
        final, finally, corrected answer, endgültige antwort, réponse finale, respuesta final, risposta finale,
        resposta final, окончательный ответ
    """,
    Kind.OPTION: """
        option, options, choice, choices, alternative, letter, item, candidate, opción, opcion, l'option,
        möglichkeit, auswahl, l'opzione, opzione, opção, variante, вариант, варианта, optie, alternativet,
        opcja, možnost, seçenek, şık, vaihtoehto, lựa chọn, phương án, pilihan, opsi, l'opció, buchstabe,
        lettre, letra, lettera, буква
    """,
    Kind.LEAN: """
        most likely, more likely, most probably, very likely, likely, probably, presumably, definitely,
        certainly, clearly, surely, obviously, undoubtedly, evidently, apparently, i think, i believe, i guess,
        i suppose, i'm confident, i am confident, i feel, i'm sure, i am sure, i conclude, leaning towards,
        leaning toward, lean towards, lean toward, lean to, inclined to, so, therefore, thus, hence, in
        conclusion, overall, in summary, must, has to, only, just, really, simply, wahrscheinlich, vermutlich,
        sicher, sicherlich, eindeutig, ich denke, ich glaube, daher, deshalb, folglich, probablement,
        certainement, sûrement, je pense, je crois, donc, probablemente, seguramente, creo que, pienso que, por
        lo tanto, entonces, probabilmente, penso che, credo che, quindi, provavelmente, acho que, portanto,
        вероятно, скорее всего, думаю, я думаю, поэтому, значит, следовательно, waarschijnlijk, dus, ik denk,
        prawdopodobnie, więc, myślę że, mostly, mainly, primarily, rather likely, clairement, évidemment,
        claramente, chiaramente, klar, deutlich, ясно, evidentemente, sicuramente, certamente, com certeza
    """,
    Kind.BE: """
        is, it's, its, that's, this is, are, was, were, be, been, being, would be, will be, must be, should be,
        seems, seem, seemed, appears, appear, appeared, sounds like, sound like, sounded like, sounds, looks
        like, i'm, there's, i hear, i heard, hear, heard, indicates, suggests, shows, means, equals, matches,
        corresponds to, corresponds with, points to, refers to, best described as, belongs to, contains,
        features, classified as, identified as, described as, labelled as, labeled as, expresses, conveys, ist,
        sind, wäre, est, c'est, serait, sera, es, sería, é, è, sarebbe, seria, это, есть, является, jest, är,
        olur, là, adalah, ialah, είναι, zou zijn, adalah opsi, can be heard, could be heard, can hear, could
        hear, may be heard, can be, going to be, it is, lautet, je, it must be, it has to be, got to be, has got
        to be, goes to, do, does, there is, there are, there
    """,
    Kind.GLUE: """
        the, that, this, it, of, in, at, to, to be, like, with, for me, my, here, one, labelled, labeled,
        marked, number, answer's, audio, clip, recording, sample, track, file, segment, excerpt, passage, sound,
        sounds of, sound of, voice, voices, speaker, speaker's, speakers, person, person's, speech, tone,
        emotion, mood, feeling, music, genre, piece, song, instrument, language, scene, place, location,
        environment, range, category, type of, kind of, interval, moment, time, above, following, word, a, an,
        la, le, les, el, los, lo, il, der, die, das, den, dem, ein, eine, einen, un, une, una, de, del, du, en,
        het, een, que, qu'il, ce, cette, esta, este, esto, adesea, mi, mon, meine, mein, moja, mijn, min, beste,
        мой, yang, can, well, very, quite, both of, as, which, who, then, also, first, i
    """,
    Kind.RIGHT: """
        right, correct, fits best, fits, fit best, best fits, matches best, best matches, best match, best fit,
        true, accurate, the one, best describes, best represents, stands out, wins, most appropriate, most
        fitting, most plausible, most suitable, the best, best, richtig, korrekt, stimmt, passt am besten,
        juste, exacte, correcto, correcta, corretto, corretta, giusta, giusto, correto, correta, certa, certo,
        верно, правильно, правильный, верный, подходит, juist, goed, poprawna, prawidłowa, doğru, doğrudur,
        rätt, riktig, rigtig, benar, đúng, ✓, ✔, ✅, ☑, richtige, korrekte, bonne, juiste, tepat, suitable,
        appropriate, rigtige, riktige, správná, oikea, helyes, chính xác
    """,
    Kind.WRONG: """
        wrong, incorrect, false, inaccurate, unlikely, implausible, impossible, ruled out, rule out, can be
        ruled out, eliminated, can be eliminated, can be excluded, excluded, can be discarded, discarded,
        rejected, out of the question, eliminate, exclude, discard, reject, falsch, unpassend, scheidet aus,
        fausse, faux, incorrecte, incorrecta, incorrecto, falsa, falso, sbagliata, sbagliato, errata, errada,
        errado, неверно, неправильно, неверный, неправильный, onjuist, fout, błędna, yanlış, fel, feil, salah,
        sai, ❌, ✗, ✘, ☒, eliminating, ruling out, rules out, eliminates, excludes, a mistake, mistake, mistaken,
        absent, missing, inaudible, lacking
    """,
    Kind.YES: "yes, yeah, yep, oui, sí, sì, sim, да",
    Kind.NO: "no, nope, nein, non, não, нет",
    Kind.NOT: """
        not, neither, nor, never, cannot, without, unlike, rather than, instead of, as opposed to, other than,
        anything but, except, except for, excluding, lacks, lack, absence of, would have, could have, might
        have, than, far from, nothing like, hardly, barely, nicht, weder, noch, kein, keine, keinen, statt,
        außer, ne, n'est, n'est pas, ce n'est pas, pas, ni, plutôt que, au lieu de, sauf, ninguno, en lugar de,
        en vez de, né, anziché, invece di, nem, em vez de, не, ни, niet, geen, nie, inte, ikke, ei, không phải,
        không, bukan, tidak, nothing of, nothing, i doubt, doubt, too good to be, too perfect to be, too clean
        to be, too smooth to be, too flat to be, too robotic to be, too natural to be, less
    """,
    Kind.BUT: """
        but, but rather, however, though, sondern, aber, jedoch, mais, plutôt, sino, sino que, pero, ma, bensì,
        mas, mas sim, но, maar, ale, lecz, ama, utan, vaan, mutta, mà là, nhưng, melainkan, tetapi, still,
        nevertheless, while, whereas, а, leaves, leaving, left with, which leaves
    """,
    Kind.OR: "or, oder, ou, o, или, либо, lub, veya, ya da, eller, tai, vagy, hoặc, atau, either, and/or, versus, vs",
    Kind.AND: "and, und, et, y, e, и, ve, och, og, ja, és, và, dan, as well as, plus, along with, both, followed by",
    Kind.BETWEEN: "between, zwischen, entre, tra, fra, между, among, out of, given options",
    Kind.MAYBE: """
        maybe, perhaps, possibly, might, may, could, might be, may be, could be, possible, plausible, i
        considered, considered, considering option, at first, at first i, initially, first impression, my first,
        i thought, first thought, originally, tempting, although, even though, despite, vielleicht,
        möglicherweise, könnte, peut-être, pourrait, peut, quizás, quizá, tal vez, podría, puede, forse,
        potrebbe, talvez, pode, poderia, может быть, возможно, misschien, może, belki, mungkin, có thể, torn
        between
    """,
    Kind.UNKNOWN: """
        don't know, do not know, dont know, didn't hear, not sure, unsure, uncertain, not certain, no idea,
        can't tell, cannot tell, can not tell, can't say, cannot say, can't determine, cannot determine, can't
        decide, cannot decide, can't be determined, cannot be determined, could not determine, couldn't
        determine, hard to tell, hard to say, hard to determine, difficult to tell, difficult to say, difficult
        to determine, impossible to tell, impossible to say, impossible to determine, unable to, not able to,
        can't hear, cannot hear, cannot listen, can't listen, can't choose, cannot choose, can't identify,
        cannot identify, can't answer, cannot answer, can't process, cannot process, can't access, cannot
        access, can't help, cannot help, can't assist, cannot assist, can't provide, cannot provide, none of the
        above, none of the options, none of these, none of them, none of the choices, none, all of the above,
        any of them, any of the above, no option, no options, no answer, no matching, no correct, no suitable,
        unknown, undetermined, unclear, not clear, not enough information, insufficient information, i'm sorry
        but, n/a, depends, weiß nicht, weiß es nicht, weiss nicht, keine ahnung, unklar, kann nicht, ne sais
        pas, sais pas, aucune idée, impossible de, aucune des, no sé, no lo sé, no puedo, ninguna de, ninguna,
        non lo so, non so, non posso, nessuna, não sei, não posso, nenhuma, не знаю, не могу, невозможно,
        неизвестно, weet het niet, weet niet, nie wiem, bilmiyorum, vet inte, ved ikke, vet ikke, không biết,
        tidak tahu
    """,
    Kind.REVISE: """
        actually, wait, hold on, hmm, sorry, i mean, i meant, or rather, on second thought, on second thoughts,
        on reflection, listening again, after listening again, upon reflection, upon closer listening, looking
        again, my mistake, now, i change my answer to, change my answer to, changed to, changing to, in fact,
        nein doch, attendez, en fait, en realidad, espera, in realtà, na verdade, вернее, точнее, хотя нет, i
        apologize
    """,
    Kind.RETRACT: """
        no wait, scratch that, strike that, take that back, i was wrong, that was wrong, that's wrong, i change
        my mind, i changed my mind, i made a mistake, ignore that, disregard that, i misspoke, correction
    """,
    Kind.BECAUSE: """
        because, as the, as there, as i, as it, as this, due to, for, given that, given the, based on, given,
        weil, denn, parce que, puisque, porque, ya que, perché, poiché, pois, потому что, так как, omdat,
        ponieważ, çünkü, vì, karena, since, as a, seeing that, as in
    """,
    Kind.SAY: """
        says, said, saying, say, says that, transcript, transcription, transcribed, transcript of, utterance,
        quote, quoted, mentions, mentioned, words, asks, asked, states, stated, lyrics
    """,
    Kind.NOTHING: """
        no doubt, without doubt, without a doubt, without any doubt, beyond doubt, no question, without
        question, not only, not just, could be wrong, may be wrong, might be wrong, can be wrong, if i'm wrong,
        if i am wrong, wrong about, if i had to guess, if i had to choose, if i had to pick, if i must choose,
        none other than, nothing but, no other than, anything other than, no one else, nothing else, no other,
        no problem, not to mention, not surprisingly, rightly, cannot rule out, not a doubt, kein zweifel, ohne
        zweifel, sans doute, sin duda, senza dubbio, sem dúvida, без сомнения, cannot be anything other than,
        can't be anything other than, cannot be anything but, can't be anything but, could not be anything other
        than, if you ask me, if i must, if forced, if i have to, more or less
    """,
    Kind.THING: """
        key, keys, key of, note, notes, pitch, chord, chords, scale, tonic, root, grade, grades, mark, vitamin,
        vitamins, hepatitis, plan, side, gate, terminal, platform, section, channel, group, class, type, blood
        type, team, string, strings, row, seat, block, building, exit, level, appendix, figure, table, part,
        verse, studio, room, hall, line, bus line, route, tuning, minor, major, flat, sharp, sonata in, symphony
        in, concerto in, mass in, mr, mrs, ms, dr, cardi, mel, kenny, johnny, plano, tonart, nota, note de, mr.,
        mrs., ms., dr., st.
    """,
    Kind.ASK: """
        is it, is this, is that, is the, is there, are there, are they, could it, could this, can it, would it,
        should it, does it, does the, do you, do i, did, what, which one, which of, how, why, where, when,
        shall, was it, what if, or is it, ist es, est-ce, es la, это ли
    """,
    Kind.OTHERS: """
        other options, the others, others, the rest, remaining options, other choices, the remaining, any other,
        other answers, other ones, andere, autres, otras, otros, остальные
    """,
    Kind.IF: "if, whether, suppose, supposing, unless, wenn, falls, ob, si, se, если, ли, jeśli, eğer, nếu, jika",
    Kind.NOT_SO: "değil",
}

GLUED: Final[dict[Kind, str]] = {
    Kind.CUE: """
        答案, 回答, 解答, 答え, 正解, 正确答案, 正確答案, 选择, 選擇, 选, 選, 选出,
        選びます, 選択します, 選ぶ, 정답, 답, 답변, 고르겠, 선택합, الإجابة, الجواب,
        إجابة, أختار, उत्तर, जवाब, คำตอบ, תשובה, התשובה
    """,
    Kind.FINAL: """
        最终答案, 最終答案, 最後の答え, 최종 답, الإجابة النهائية, अंतिम उत्तर
    """,
    Kind.OPTION: """
        选项, 選項, 選択肢, 选项是, 선택지, 보기, الخيار, विकल्प, ตัวเลือก,
        ข้อ, אפשרות
    """,
    Kind.LEAN: """
        最可能, 很可能, 更可能, 大概, 应该, 應該, 肯定, 我认为, 我認為, 我觉得, 我想, 所以,
        因此, 故, 只有, 只, たぶん, おそらく, 아마, 따라서, 그러므로, と思います, だと思います,
        أعتقد, शायद यह
    """,
    Kind.BE: """
        是, 为, 為, は, です, だ, である, が, 는, 은, 이다, 입니다, 이에요, 예요, 이,
        가, هي, هو, है, คือ, 属于, 属於, 听到, 有, 表达, 表現, เป็น
    """,
    Kind.GLUE: """
        的, 项, 項, 这, 這, 那, 它, 个, 個, 一, の, を, に, と, 을, 를, 번, 声,
        聲, 音频, 音頻, 音频中, 录音, 说话人, 情绪, 中, 里, 声音, सही, 我, 你, 您,
        本, 题, 题目, 应, 该, 就
    """,
    Kind.RIGHT: """
        正确, 正確, 对的, 對的, 对, 對, 正しい, 正解です, 맞습니다, 맞다, 맞아요, 옳,
        صحيح, صحيحة, ถูก, सही है
    """,
    Kind.WRONG: """
        错误, 錯誤, 错的, 錯的, 错, 錯, 不对, 不對, 不正确, 不正確, 不是正确, 排除, 間違い,
        間違って, 틀렸, 틀린, 틀립, خطأ, गलत, ผิด
    """,
    Kind.NOT: """
        不是, 并非, 並非, 不, 没有, 沒有, 没, 非, 既不是, 也不是, 而不是, 而非, 除了,
        ليس, ليست, नहीं, ไม่ใช่, לא
    """,
    Kind.NOT_SO: """
        ではなく, じゃなく, ではありません, ではない, じゃない, じゃありません, でもなく, 가 아니라,
        이 아니라, 가 아니고, 이 아니고, 가 아닙니다, 이 아닙니다, 도 아니고, 아니라, 아니고,
        아닙니다, 不可能
    """,
    Kind.BUT: """
        而是, 而, 但是, 但, 然而, 却, しかし, 하지만, 그러나, لكن, بل, लेकिन,
        बल्कि, แต่, אלא, แต่เป็น
    """,
    Kind.OR: """
        或者, 或是, 或, 还是, 還是, 要么, か, または, もしくは, あるいは, 또는, 혹은, 이나,
        나, أو, या, หรือ, או
    """,
    Kind.AND: """
        和, 与, 與, 以及, 及, 跟, 都, および, そして, 와, 과, 하고, 및, و, और,
        และ, 、, 加上, でも
    """,
    Kind.BETWEEN: "在",
    Kind.MAYBE: """
        可能是, 可能, 也许, 或许, 也許, 虽然, 雖然, 尽管, 起初, 一开始, かもしれ, もしかして,
        일 수도, ربما, शायद, อาจ
    """,
    Kind.UNKNOWN: """
        不知道, 不清楚, 不确定, 不確定, 无法, 無法, 不能, 听不清, 听不到, 聽不清, 没听清,
        难以, 難以, 没有答案, 没有正确, 都不是, 都不对, 以上都不, 以上都, 分かりません,
        わかりません, わからない, 分からない, 不明, できません, 聞こえません, 모르겠, 모릅니다, 알
        수 없, 없습니다, 불가능, لا أعرف, لا أعلم, لا أستطيع, पता नहीं,
        नहीं जानता, ไม่ทราบ, ไม่รู้, לא יודע, 抱歉, 对不起
    """,
    Kind.REVISE: """
        不对，, 等等, 其实, 其實, 更正, 纠正, いや, いえ, 아니, 실은, やっぱり, 抱歉，
    """,
    Kind.BECAUSE: """
        因为, 因為, 由于, 由於, なぜなら, ので, から, 왜냐하면, 때문에, لأن, क्योंकि,
        เพราะ, כי
    """,
    Kind.NOTHING: "不仅, 不只, 毫无疑问, 毫無疑問, 無疑, 无疑, 間違いなく, 틀림없이, 不但",
    Kind.SAY: "说, 說, 说道, 转录",
    Kind.ASK: "吗, 嗎, 呢",
    Kind.OTHERS: "其他, 其它, 其余, 他の, 나머지",
    Kind.IF: "如果, 假如, 若, もし, 만약, إذا, अगर",
}
