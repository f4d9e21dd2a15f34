import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own in memory, which a test can fill. */
export interface SmallDisk {
  readonly folder: string
  /** Leaves no byte free. */
  fill(): void
  /** Removes what `fill` has written. */
  free(): void
  /** Removes it with all files. */
  remove(): void
}

/** Why no such disk can be made here, undefined when one can. The reason is printed. */
export const noSmallDisk = findReason()

function findReason(): string | undefined {
  try {
    createSmallDisk(1).remove()
    return undefined
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]
    process.stdout.write(`tests of full disks skipped: no disk can be mounted: ${reason}\n`)
    return reason
  }
}

export function createSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    rmdirSync(folder)
    throw error
  }
  chmodSync(folder, 0o777)
  const filler = join(folder, 'filler')
  return {
    folder,
    fill(): void {
      const file = openSync(filler, 'a')
      try {
        for (const size of [1024 ** 2, 4_096, 1]) writeUntilFull(file, Buffer.alloc(size))
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove(): void {
      execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' })
      rmdirSync(folder)
    },
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    while (writeSync(file, bytes) === bytes.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
