import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { systemRandom } from '@sluice/core'

/**
 * A number that a store file has for one run: the application id of SQLite, 4 bytes at a fixed place of the file itself, so
 * that it can be read without what a write-ahead log would put over it. The mark keeps it too. 0 has a file that no store
 * was opened in yet: a backup, or what was salvaged.
 */
export type FileId = number

/** Source: SQLite, Database File Format, 1.3. */
const offset = 68
const magic = 'SQLite format 3\0'

/**
 * Reads the id past the driver. Only where this process does not have the file open: closing it lets go of its locks.
 * @returns undefined when it is no file of SQLite, or its first page is destroyed.
 */
export function readFileId(path: string): FileId | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(offset + 4)
      const isWhole = readSync(file, bytes, 0, bytes.length, 0) === bytes.length
      return isWhole && bytes.toString('latin1', 0, magic.length) === magic ? bytes.readInt32BE(offset) : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

/** One that no file has: of the platform, because equal runs with a seed must not have equal ones. */
export function newFileId(): FileId {
  const id = new DataView(systemRandom.fill(new Uint8Array(4)).buffer).getInt32(0)
  return id === 0 ? 1 : id
}

/** Takes the id away from a copy that nobody has open and that has no write-ahead log. */
export function clearFileId(path: string): void {
  const file = openSync(path, 'r+')
  try {
    writeSync(file, Buffer.alloc(4), 0, 4, offset)
  } finally {
    closeSync(file)
  }
}
