"""Functions in processes of their own, which have what this process has imported.

To import pandas, xarray, SciPy or matplotlib takes longer than most checks.
"""

import os
import sys
import tempfile
import traceback


class Fork:
    """A process that runs a function, as if that were a program."""

    def __init__(self, function, *arguments):
        self.output, self.errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        sys.stdout.flush()
        sys.stderr.flush()
        self.process = os.fork()
        if self.process == 0:
            with open(os.devnull, "rb") as nothing:
                for number, stream in enumerate((nothing, self.output, self.errors)):
                    os.dup2(stream.fileno(), number)
            # What is to be done at the exit of this process is not the child's to do.
            os._exit(status_of(function, arguments))

    def wait(self):
        """Waits for its end; returns its exit code, its output and its errors."""
        _, status = os.waitpid(self.process, 0)
        return os.waitstatus_to_exitcode(status), text_of(self.output), text_of(self.errors)


def text_of(stream):
    with stream:
        stream.seek(0)
        return stream.read().decode(errors="replace")


def status_of(function, arguments):
    """The exit code of Python after the function."""
    status = 0
    try:
        function(*arguments)
    except SystemExit as end:
        isNumber = end.code is None or isinstance(end.code, int)
        status = int(end.code or 0) if isNumber else 1
        if not isNumber:
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status
