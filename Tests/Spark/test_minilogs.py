"""Packed logs come back as they were, from chunks in any order, and damage is found."""

import random

import pytest

from bandolier.spark import _minilogs
from bandolier.spark._minilogs import PackedFile, packed_chunks


@pytest.fixture
def log(tmp_path):
    return make_log(tmp_path / "shop.log", random.Random(1))


def make_log(folder, rng):
    folder.mkdir()
    for number in range(rng.randrange(1, 4)):
        (folder / f"seg-{number:020}.bdl").write_bytes(rng.randbytes(rng.choice([0, 1, 100, 3000, 300_000])))
    (folder / "HEAD.0").write_bytes(b"head")
    (folder / "LOCK").touch()
    (folder / "IMPORTS").write_bytes(b"of one machine")
    return folder


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in ("LOCK", "IMPORTS")}


@pytest.mark.parametrize("seed", range(20))
def test_a_log_comes_back_from_its_chunks_in_any_order_and_twice(tmp_path, seed, monkeypatch):
    rng = random.Random(seed)
    monkeypatch.setattr(_minilogs, "CHUNK_BYTES", rng.choice([1, 7, 64, 5000]) * (1 if seed % 2 else 1000))
    log = make_log(tmp_path / "a.log", rng) if seed % 2 == 0 else small_log(tmp_path / "a.log", rng)
    chunks = list(packed_chunks(str(log)))
    assert chunks == list(packed_chunks(str(log)))
    again = chunks + rng.sample(chunks, len(chunks) // 2)
    rng.shuffle(again)
    packed = PackedFile(str(tmp_path / "packed"))
    for number, chunk in again:
        packed.put(number, chunk)
    packed.unpack(str(tmp_path / "b.log"))
    assert content(tmp_path / "b.log") == content(log)
    assert not (tmp_path / "packed").exists()


def small_log(folder, rng):
    folder.mkdir()
    (folder / "seg-0.bdl").write_bytes(rng.randbytes(rng.randrange(40)))
    (folder / "HEAD.0").write_bytes(b"")
    return folder


def test_locks_and_notes_of_imports_are_left_out(log):
    before = list(packed_chunks(str(log)))
    (log / "IMPORTS").write_bytes(b"of another machine")
    assert list(packed_chunks(str(log))) == before


@pytest.mark.parametrize("lost", ["first", "last"])
def test_a_missing_chunk_is_found(log, tmp_path, monkeypatch, lost):
    monkeypatch.setattr(_minilogs, "CHUNK_BYTES", 1000)
    packed = PackedFile(str(tmp_path / "packed"))
    chunks = list(packed_chunks(str(log)))
    assert len(chunks) > 2
    for number, chunk in chunks[1:] if lost == "first" else chunks[:-1]:
        packed.put(number, chunk)
    with pytest.raises(ValueError):
        packed.unpack(str(tmp_path / "b.log"))


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".", "..", "a b", "x\0"])
def test_names_of_files_elsewhere_are_refused(tmp_path, name):
    entry = f"1 {name}\nx".encode()
    packed = PackedFile(str(tmp_path / "packed"))
    packed.put(0, f"{len(entry)}\n".encode() + entry)
    with pytest.raises(ValueError):
        packed.unpack(str(tmp_path / "b.log"))
    assert not (tmp_path / "x").exists()
