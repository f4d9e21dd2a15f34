import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { LogPosition } from '@sluice/pipeline'
import type { FileId } from './file-id.ts'

/**
 * The file: 4 bytes of name, 1 of version, 1 of state, 1 how many file ids there are, 1 unused, 8 of position, 4 of each of
 * two file ids, 4 of CRC-32 over these. Version 1 had no file ids.
 */
const lengths: Readonly<Record<number, number>> = { 1: 20, 2: 28 }
const version = 2
const length = 28
const name = 'SLMK'
/** How often it is asked to be on disk at most; in between it is the system's to write. */
const syncMs = 1_000

export interface Mark {
  /** Nobody has closed the store since. */
  readonly isOpen: boolean
  /** The newest batch that was acknowledged. */
  readonly position: LogPosition
  /** What the store file may be called: two while it gets a new id. Undefined when it is not known. */
  readonly fileIds?: readonly FileId[] | undefined
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
  readonly #before: Buffer
  #position: LogPosition
  #fileIds: readonly FileId[] | undefined
  #syncedAt = Number.NEGATIVE_INFINITY
  #syncing: Promise<void> | undefined

  /** To be made by who holds the store. */
  constructor(path: string) {
    this.#file = openFile(path)
    const read = readSync(this.#file, this.#bytes, 0, length, 0)
    this.wasThere = read > 0
    this.#before = Buffer.from(this.#bytes.subarray(0, read))
    this.found = parse(this.#before)
    this.#position = this.found?.position ?? 0
    this.#fileIds = this.found?.fileIds
  }

  /** Something may be written to the store from now on, whose file may have any of these ids. Left out, those it had. */
  open(fileIds = this.#fileIds): void {
    this.#fileIds = fileIds
    this.#write({ isOpen: true, position: this.#position })
    fsyncSync(this.#file)
  }

  /** The store is in use from now on. */
  begin(position: LogPosition): void {
    this.#position = position
    this.open()
  }

  /** The store was not used after all, and was closed: what was found is right still. */
  withdraw(): void {
    ftruncateSync(this.#file)
    writeSync(this.#file, this.#before, 0, this.#before.length, 0)
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
    this.#bytes.writeUInt8(this.#fileIds?.length ?? 0, 6)
    this.#bytes.writeUInt8(0, 7)
    this.#bytes.writeBigUInt64LE(BigInt(position), 8)
    for (const place of [0, 1]) this.#bytes.writeInt32LE(this.#fileIds?.[place] ?? 0, 16 + 4 * place)
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
      return parse(bytes.subarray(0, readSync(file, bytes, 0, length, 0)))
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
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== name) return undefined
  const end = lengths[bytes.readUInt8(4)]
  if (end === undefined || bytes.length < end || bytes.readUInt32LE(end - 4) !== crc32(bytes.subarray(0, end - 4)))
    return undefined
  const ids = end < length ? [] : [16, 20].slice(0, bytes.readUInt8(6)).map((place) => bytes.readInt32LE(place))
  return {
    isOpen: bytes.readUInt8(5) === 1,
    position: Number(bytes.readBigUInt64LE(8)),
    fileIds: ids.length > 0 ? ids : undefined,
  }
}
