"""Fetches the chat templates that the renderer is compared with: the *.jinja files of pinned wheels,
into the folder given. Nothing of it is ever committed."""

import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

WHEELS = ["trl==1.16.0", "axolotl==0.19.0"]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as downloads:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
             "--no-deps", "--only-binary=:all:", "--dest", downloads, *WHEELS],
            check=True,
        )
        seen = set()
        for wheel in sorted(pathlib.Path(downloads).glob("*.whl")):
            package = wheel.name.split("-")[0]
            with zipfile.ZipFile(wheel) as archive:
                for name in sorted(archive.namelist()):
                    if not name.endswith(".jinja"):
                        continue
                    content = archive.read(name)
                    digest = hashlib.sha256(content).hexdigest()
                    if digest in seen:
                        continue
                    seen.add(digest)
                    (folder / f"{package}-{pathlib.PurePosixPath(name).name}").write_bytes(content)
    print(f"{len(seen)} distinct templates in {folder}")


main()
