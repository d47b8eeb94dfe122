import Foundation
import TestSupport
import Testing

@testable import Harness

/// Links, `~`, `..` and other names in the way of files.
@Suite struct FolderPathTests {
  /// Each script ends with `ok`.
  private func expectOK(_ script: String) throws {
    let outcome = try Workbench().shell("set -e; mkdir victim\n" + script)
    #expect(outcome.output.hasSuffix("ok\n"), "\(outcome.output) \(outcome.errors)")
  }

  /// The folder that a link leads to belongs to somebody who has not named it.
  @Test func defaultOutputsFollowNoLink() throws {
    try expectOK(
      """
      "$0" run short.yml -q -o victim/results.h5; cp victim/results.h5 mine.h5
      "$0" history add mine.h5 -q; mv .shadowbox/history.sqlite victim/h.sqlite
      sum=$(cat victim/* | md5sum); ln -s victim out; rm -r .shadowbox; ln -s victim .shadowbox
      expect() { status=0; "$@" 2>errors || status=$?; test $status = 64; grep -q 'the link' errors; }
      expect "$0" run short.yml -q --force; expect "$0" report mine.h5
      expect "$0" history add mine.h5
      rm out .shadowbox; mkdir out .shadowbox; ln -s ../victim/results.h5 out/results.h5
      ln -s ../victim/h.sqlite .shadowbox/history.sqlite
      expect "$0" run short.yml -q; expect "$0" history add mine.h5
      test "$sum" = "$(cat victim/* | md5sum)"
      "$0" history | grep -q '1 run'; ln -s victim named
      "$0" run short.yml -o named/new.h5 >/dev/null 2>errors; test -f victim/new.h5
      test "$(grep -c 'named is a link; the files in named are in .*/victim' errors)" = 1
      echo ok
      """)
  }

  @Test func aTildeIsAFolder() throws {
    try expectOK(
      """
      mkdir '~' && mv short.h5 '~/t.h5'; home=$(ls -a ~root | md5sum)
      "$0" run '~' --detector punch -q -o '~/r.h5'; "$0" info '~/t.h5' >/dev/null
      "$0" trim '~/t.h5' --from 1s -o '~/new/o.h5' -q; test -f ./'~'/new/o.h5
      "$0" history add '~/r.h5' --history '~/h.sqlite' -q; test -f ./'~/h.sqlite'
      "$0" rerun '~/r.h5' | grep -q Identical
      test "$home" = "$(ls -a ~root | md5sum)"; echo ok
      """)
  }

  /// The system follows the link before it goes up.
  @Test func theTraceWithTheDigestIsReplayed() throws {
    try expectOK(
      """
      mkdir -p other/sub here; mv short.h5 other/t.h5; mv long.h5 here/t.h5; ln -s ../other/sub here/L
      cd here; "$0" run L/../t.h5 --detector punch -q -o r.h5; "$0" rerun r.h5 | grep -q Identical
      "$0" report r.h5 -o r.html -q; grep -o '"id":"[a-z]*"' r.html | sort -u >ids
      grep -q short ids; ! grep -q long ids; echo ok
      """)
  }

  /// Names that are not UTF-8 end a command; they are no recordings that count as absent.
  @Test func namesOfOtherBytesAreErrors() throws {
    try expectOK(
      """
      mkdir f; cp short.h5 f/good.h5; cp short.h5 "f/$(printf 'bad\\377.h5')"
      sed 's,\\[short.h5\\],["f/*.h5"],' short.yml >s.yml
      for words in 'run s.yml -o o.h5' 'run f --detector punch -o o.h5' 'validate f' 'info f' \\
        'convert f -o o' 'sweep f --detector punch'; do
        status=0; "$0" $words >/dev/null 2>errors || status=$?
        test $status = 74 || { echo "$words $status"; cat errors; exit; }
        grep -q 'names in UTF-8, found other bytes (read as "bad' errors
      done; echo ok
      """)
  }

  /// As `info` and `convert` do.
  @Test func foldersBelowAreSearched() throws {
    try expectOK(
      """
      mkdir -p all/a all/b/c; mv short.h5 all/a; mv long.h5 all/b/c; ln -s a all/x
      "$0" run all --detector punch -o r.h5 --format csv 2>errors >csv
      grep -q 'skipped all/x, which is a link to a folder' errors
      "$0" sweep all --detector punch -q --format csv >/dev/null
      mv all moved; "$0" rerun r.h5 --traces moved | grep -q Identical
      "$0" report r.h5 --traces moved -q -o r.html; echo ok
      """)
  }

  /// Relative names that SQLite takes for an address, or for memory.
  @Test func aHistoryIsAFile() throws {
    try expectOK(
      """
      "$0" run short.yml -q -o r.h5; mkdir in; cd in
      for name in file:..%2Fv.db :memory: 'file:x?mode=memory'; do
        "$0" history add ../r.h5 --history "$name" -q; test -s "$name"
        "$0" history --history "$name" | grep -q '1 run'
      done; test ! -e ../v.db; test "$(ls | wc -l)" = 3; echo ok
      """)
  }

  /// Two names that text holds for equal.
  @Test func namesThatDifferInBytesOnlyAreRefused() throws {
    try expectOK(
      """
      e=$(printf 'e\\314\\201'); mkdir t; cp short.h5 t/é.h5; cp long.h5 "t/$e.h5"
      test "$(ls t | wc -l)" = 2; sed 's,\\[short.h5\\],["t/*.h5"],' short.yml >s.yml
      for words in 's.yml' 't --detector punch' "t/é.h5 t/$e.h5 --detector punch"; do
        status=0; "$0" run $words -o o.h5 >/dev/null 2>errors || status=$?
        test $status = 65; grep -q 'differ only in the bytes' errors; test ! -e o.h5
      done; echo ok
      """)
  }

  @Test(.enabled(if: FullDiskCommandTests.canMount, "this machine lets no test mount a disk"))
  func aFullFolderForTemporaryFilesIsAFileError() throws {
    let bench = try Workbench()
    let outcome = try bench.shell(
      """
      mkdir t; mount -t tmpfs -o size=8k none t; head -c 8192 /dev/zero >t/full || :
      TMPDIR=$PWD/t "$0" sweep short.h5 --detector punch --picture o.png -q >/dev/null; echo $?
      """, wrapper: ["unshare", "--map-root-user", "--mount"])
    #expect(outcome.output == "74\n", "\(outcome)")
    #expect(
      outcome.errors.contains("TMPDIR") && !outcome.errors.contains("NSCocoa"), "\(outcome.errors)")
  }

  /// The calls that look at files, of 5, 10 and 20 recordings: twice as many more cost twice as much more.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
  func aFolderCostsWhatItsRecordingsCost() throws {
    let bench = try Workbench()
    let outcome = try bench.shell(
      """
      for count in 5 10 20; do
        mkdir $count; for i in $(seq $count); do head -5 short.csv >$count/$i.csv; done
        strace -f -qq --seccomp-bpf -e trace=%stat,readlink,getcwd -o calls \\
          "$0" convert $count -q -o out$count --map time=t,x=x,y=y,z=z --gravity removed; wc -l <calls
      done
      """)
    let calls = outcome.output.split(separator: "\n").compactMap { Int($0) }
    try #require(calls.count == 3, "\(outcome)")
    #expect(calls[2] - calls[1] < 3 * (calls[1] - calls[0]), "\(calls)")
  }

  /// The commit is that of the traces, and not that of the folder where the program was started.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git")))
  func theCommitIsThatOfTheTraces() throws {
    try expectOK(
      """
      git init -q data; mv short.h5 data/; cd data; git add .
      git -c user.name=a -c user.email=a@b commit -qm one; head=$(git rev-parse HEAD); cd ..
      git init -q other; cd other
      for place in ../data ../data/short.h5; do
        "$0" run $place --detector punch -q -o r.h5 --force --format json | grep -q "\"$head\""
      done; echo ok
      """)
  }
}
