import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { systemRandom } from '@sluice/core'

/**
 * Number that identifies a store file during one run. It is stored as SQLite's application id, 4 bytes at a fixed place
 * of the file itself, so that it can be read without the write-ahead log, and in the mark. It is 0 in a file that was
 * not opened as a store yet: a backup, or a salvaged store.
 */
export type FileId = number

/** Source: SQLite, Database File Format, 1.3. */
const offset = 68
const magic = 'SQLite format 3\0'

/**
 * Reads the id without the driver. This process must not have the file open, because closing it releases its locks.
 * @returns undefined when it is no SQLite file, or its first page is destroyed.
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

/** Returns a new random id. From the platform's randomness, because runs with the same seed need different ids. */
export function newFileId(): FileId {
  const id = new DataView(systemRandom.fill(new Uint8Array(4)).buffer).getInt32(0)
  return id === 0 ? 1 : id
}

/** Sets the id of a copy to 0. The copy must not be open, and must have no write-ahead log. */
export function clearFileId(path: string): void {
  const file = openSync(path, 'r+')
  try {
    writeSync(file, Buffer.alloc(4), 0, 4, offset)
  } finally {
    closeSync(file)
  }
}
