from __future__ import annotations

import time

import numpy as np
import pytest

from airbench_edge.audio.filterbank import hz_to_mel, into_bands, mel_filters, mel_to_hz, peak_filters


def test_scale() -> None:
    assert hz_to_mel(0) == 0
    assert hz_to_mel(400) == pytest.approx(6)  # 400 / (200 / 3)
    assert hz_to_mel(1000) == pytest.approx(15)
    assert hz_to_mel(6400) == pytest.approx(42)  # 27 mel for a factor of 6.4
    assert np.allclose(mel_to_hz(np.array([6.0, 15.0, 42.0])), [400, 1000, 6400])


@pytest.mark.parametrize("bins", [80, 128])
def test_triangles(bins: int) -> None:
    filters = mel_filters(bins, 400, 16000)
    assert filters.shape == (201, bins)
    assert (filters >= 0).all()
    assert (filters.max(axis=0) > 0).all()
    peaks = filters.argmax(axis=0)
    assert (np.diff(peaks) >= 0).all()
    assert peaks[-1] < 200


def test_wide_triangles_have_the_area_one() -> None:
    # bins are 40 Hz apart; above 3 kHz a triangle spans several of them, so that the sum is close to the integral
    filters = mel_filters(80, 400, 16000)
    assert filters[:, 60:].sum(axis=0) * 40 == pytest.approx(1.0, abs=0.03)


def test_peaks_on_the_other_scale() -> None:
    # 2595 log10(1 + 700 / 700) = 781.17 mel at 700 Hz: one filter between 0 Hz and 1562.3 mel, which are 2100 Hz
    filters = peak_filters(1, 160, 16000, 0.0, 2100.0)[:, 0]  # every 100 Hz
    assert filters.argmax() == 7
    assert filters[[0, 3, 7, 14, 21, 22]] == pytest.approx([0, 3 / 7, 1, 0.5, 0, 0])
    assert peak_filters(1, 160, 16000, 0.0, 2100.0) is peak_filters(1, 160, 16000, 0.0, 2100.0)


def test_filters_are_shared_and_cannot_be_changed() -> None:
    assert mel_filters(80, 400, 16000) is mel_filters(80, 400, 16000)
    assert not mel_filters(80, 400, 16000).flags.writeable


@pytest.mark.parametrize("shape", [(1, 201, 80), (0, 201, 80), (3000, 201, 128), (33, 513, 128), (2, 2000, 1000)])
def test_bands_are_the_product(shape: tuple[int, int, int]) -> None:
    frames, frequencies, bands = shape
    random = np.random.default_rng(7)
    spectra, filters = random.random((frames, frequencies)), random.random((frequencies, bands))
    assert np.allclose(into_bands(spectra, filters), spectra @ filters, rtol=1e-12)


def test_the_product_keeps_no_other_thread_busy() -> None:
    filters = mel_filters(128, 400, 16000)
    spectra = np.random.default_rng(7).random((3000, 201))
    time.sleep(0.5)  # threads that spin after a product of another test go to sleep
    everything, here = time.process_time(), time.thread_time()
    for _ in range(10):
        into_bands(spectra, filters)
    time.sleep(0.1)
    everything, here = time.process_time() - everything, time.thread_time() - here
    assert everything < 1.5 * here + 0.02
