import pytest

from airbench_edge.benchmark.clip_path import clip_names, escape, folder_escape, names_no_file


@pytest.mark.parametrize(
    "path",
    [
        "../x.wav",
        "a/../../x.wav",
        "a/../x.wav",
        "..",
        "..\\x.wav",
        "a\\..\\x.wav",
        ".. /x.wav",
        "/etc/hostname",
        "//server/share/x.wav",
        "\\\\server\\share\\x.wav",
        "\\x.wav",
        "C:\\x.wav",
        "c:x.wav",
        "C:/x.wav",
        "file:///etc/hostname",
        "https://example.org/x.wav",
        "~/x.wav",
        "~root/x.wav",
        "~",
        "x\0.wav",
        "x.wav\0",
    ],
)
def test_paths_that_leave_their_folder(path: str) -> None:
    assert escape(path)


@pytest.mark.parametrize(
    "path",
    [
        "x.wav",
        "./clip.wav",
        "a//b.wav",
        "00/1000.wav",
        "café 狗 %20 #1.wav",
        "..hidden.wav",
        "a..b/c...wav",
        "...",
        "~take.wav",
        "a~/b.wav",
        "take:2.wav",
        "%2e%2e/x.wav",
        "$HOME.wav",
        "a\nb.wav",
    ],
)
def test_paths_that_stay(path: str) -> None:
    assert escape(path) is None


@pytest.mark.parametrize("path", ["", " ", ".", "./", "a/", "a/.", "\t", "a\\", "a/ "])
def test_paths_that_name_no_file(path: str) -> None:
    assert names_no_file(path)


@pytest.mark.parametrize("folder", ["a/b_c", "a_..\\c", "../Sound_AQA_avqa", "/x_y", "C:x_y", "a_b\0"])
def test_folders_that_are_no_plain_name(folder: str) -> None:
    assert folder_escape(folder)


def test_published_folder_names_are_plain() -> None:
    assert folder_escape("Speaker_Age_Prediction_common_voice_13.0_en") is None


def test_only_audio_grounding_has_other_names_on_disk() -> None:
    assert clip_names("Audio_Grounding", "YaB1.5.wav") == ("YaB1.5.wav", "YaB1.5.flac")
    assert clip_names("Audio_Grounding", "x.WAV") == ("x.WAV", "x.flac")
    for path in ("already.flac", "no_extension", "wav", "x.mp3"):
        assert clip_names("Audio_Grounding", path) == (path,)
    assert clip_names("Sound_AQA", "x.wav") == ("x.wav",)
