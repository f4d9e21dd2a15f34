import { closeSync, fdatasync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { LogPosition } from '@sluice/pipeline'

/** The file: 4 bytes of name, 1 of version, 1 of state, 2 unused, 8 of position, 4 of CRC-32 over these. */
const length = 20
const name = 'SLMK'
const version = 1
/** How often it is asked to be on disk at most; in between it is the system's to write. */
const syncMs = 1_000

export interface Mark {
  /** Nobody has closed the store since. */
  readonly isOpen: boolean
  /** The newest batch that was acknowledged. */
  readonly position: LogPosition
}

/**
 * A small file beside the store that says how far the log was acknowledged. SQLite drops what follows a torn place of its
 * write-ahead log without a word; who compares the store with its mark sees it.
 *
 * The mark follows the commit, so a kill leaves it at or below what is stored. After a power failure it may be a second
 * old: what was lost of that second is not told.
 */
export class HighWaterMark {
  /** As it was found; undefined when there was none that can be read. */
  readonly found: Mark | undefined
  /** Whether there was a file. */
  readonly wasThere: boolean
  readonly #file: number
  readonly #bytes = Buffer.alloc(length)
  #position = 0
  #syncedAt = Number.NEGATIVE_INFINITY
  #syncing: Promise<void> | undefined

  /** To be made by who holds the store. */
  constructor(path: string) {
    this.#file = openFile(path)
    const read = readSync(this.#file, this.#bytes, 0, length, 0)
    this.wasThere = read > 0
    this.found = read === length ? parse(this.#bytes) : undefined
  }

  /** The store is in use from now on. */
  begin(position: LogPosition): void {
    this.#write({ isOpen: true, position })
    fsyncSync(this.#file)
  }

  /** A batch was committed. */
  raise(position: LogPosition): void {
    if (position <= this.#position) return
    try {
      this.#write({ isOpen: true, position })
      this.#sync()
    } catch {
      // What is acknowledged is in the store; a mark that is too low accuses nobody.
    }
  }

  /** The store was closed. Without it, the file is let go of and says that it was not. */
  async end({ isClean }: { readonly isClean: boolean }): Promise<void> {
    await this.#syncing
    try {
      if (isClean) {
        this.#write({ isOpen: false, position: this.#position })
        fsyncSync(this.#file)
      }
    } finally {
      closeSync(this.#file)
    }
  }

  #write({ isOpen, position }: Mark): void {
    this.#position = position
    this.#bytes.write(name, 'latin1')
    this.#bytes.writeUInt8(version, 4)
    this.#bytes.writeUInt8(isOpen ? 1 : 0, 5)
    this.#bytes.writeBigUInt64LE(BigInt(position), 8)
    this.#bytes.writeUInt32LE(crc32(this.#bytes.subarray(0, length - 4)), length - 4)
    writeSync(this.#file, this.#bytes, 0, length, 0)
  }

  #sync(): void {
    const now = performance.now()
    if (this.#syncing !== undefined || now - this.#syncedAt < syncMs) return
    this.#syncedAt = now
    this.#syncing = new Promise((resolve) =>
      fdatasync(this.#file, () => {
        this.#syncing = undefined
        resolve()
      }),
    )
  }
}

/** Reads a mark and changes nothing; undefined when there is none that can be read. */
export function readMark(path: string): Mark | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(length)
      return readSync(file, bytes, 0, length, 0) === length ? parse(bytes) : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r+')
  } catch {
    return openSync(path, 'w+', 0o600)
  }
}

function parse(bytes: Buffer): Mark | undefined {
  const isMark =
    bytes.toString('latin1', 0, 4) === name &&
    bytes.readUInt8(4) === version &&
    bytes.readUInt32LE(length - 4) === crc32(bytes.subarray(0, length - 4))
  return isMark ? { isOpen: bytes.readUInt8(5) === 1, position: Number(bytes.readBigUInt64LE(8)) } : undefined
}
