"""Writes sealed_thread.json: messages of a sealed thread by the package cryptography.

    python3 -m venv venv && venv/bin/pip install cryptography==48.0.0
    venv/bin/python Tests/Fixtures/sealed_thread.py > Tests/Fixtures/sealed_thread.json
"""

import hashlib
import random

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from fixture import show, versions

NAME = b"shadowbox thread seal 1"
r, cases = random.Random(1), []


def derive(count, secret, salt, info):
    return HKDF(SHA256(), count, salt, info).derive(secret)


for payload in (b"", b"Answer=TABLE", bytes(range(256)) * 4):
    for sender in (0, 1):  # 0: the inviter
        match = r.randbytes(16)
        private = [X25519PrivateKey.from_private_bytes(r.randbytes(32)) for _ in range(2)]
        public = [key.public_key() for key in private]
        both = b"".join(key.public_bytes_raw() for key in public)
        secret = private[sender].exchange(public[1 - sender])
        keys = derive(64, secret, match, NAME + both)
        number, known, salt = r.randrange(1, 1000), r.randrange(1000), r.randbytes(16)
        own = public[sender].public_bytes_raw()
        header = bytes([1, sender]) + match + number.to_bytes(8, "big") + own + salt
        frame = known.to_bytes(8, "big") + len(payload).to_bytes(2, "big") + payload
        body = ChaCha20Poly1305(
            derive(32, keys[32 * sender :][:32], salt, NAME + b"\x01")
        ).encrypt(
            bytes(4) + number.to_bytes(8, "big"),
            frame.ljust(8 + 2 + 1024, b"\0"),
            header + hashlib.sha256(both).digest(),
        )
        cases.append(
            {
                "sender": sender,
                "match": match.hex(),
                "privateKeys": [key.private_bytes_raw().hex() for key in private],
                "publicKeys": [key.public_bytes_raw().hex() for key in public],
                "message": (header + body).hex(),
                "payload": payload.hex(),
            }
        )

show(
    versions("cryptography", "Python"),
    "python3 Tests/Fixtures/sealed_thread.py > Tests/Fixtures/sealed_thread.json",
    "Bytes in hexadecimal digits; sender: 0 the inviter, 1 the responder; keys in that order.",
    cases=cases,
)
