import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { LogPosition } from '@sluice/pipeline'
import type { FileId } from './file-id.ts'

/**
 * Format of the file: 4 bytes name, 1 version, 1 state, 1 number of file ids, 1 unused, 8 position, 2 × 4 file ids, 8
 * commits, 8 id of the store, 4 CRC-32 of the rest. Version 1 had no file ids, version 2 no commits and no id of the store.
 */
const lengths: Readonly<Record<number, number>> = { 1: 20, 2: 28, 3: 44 }
const version = 3
const length = 44
const name = 'SLMK'
/** Values of the state. */
const states = { closed: 0, open: 1, unchecked: 2 }
/** Shortest time between two syncs to disk; in between, the operating system decides when to write. */
const syncMs = 1_000

interface Mark {
  /** Whether the store was not closed since it was opened. */
  readonly isOpen: boolean
  /** Whether it was closed before its file was checked, or with damage. */
  readonly isUnchecked?: boolean
  /** Position of the newest acknowledged batch. */
  readonly position: LogPosition
  /** Commits of the store so far, whatever they changed; 0 in a mark of a release that did not count them. */
  readonly commits: number
  /** Id of the store, which is the same in all its copies; undefined when unknown. */
  readonly storeId?: StoreId | undefined
  /** Ids the store file can have: two while it gets a new one. Undefined when unknown. */
  readonly fileIds?: readonly FileId[] | undefined
}

/** Number that tells a store from others, unlike a file id in every run and every copy. */
export type StoreId = number

/** How far a store is. */
type Stored = Pick<Mark, 'position' | 'commits'>

/**
 * A small file beside the store with the position of the newest acknowledged batch, and the number of commits. SQLite silently
 * drops everything after a torn place in its write-ahead log, and an older file may be put in the place of the store; comparing
 * the store with its mark shows the loss.
 *
 * The mark is written after the commit, so after a kill it is at or below the stored position. After a power failure it
 * can be a second old; losses within that second are not reported.
 */
export class HighWaterMark {
  /** The mark found on opening, undefined when there was no readable one. */
  readonly found: Mark | undefined
  /** Whether the file existed. */
  readonly wasThere: boolean
  readonly #file: number
  readonly #bytes = Buffer.alloc(length)
  readonly #before: Buffer
  #position: LogPosition
  #commits: number
  #storeId: StoreId | undefined
  #fileIds: readonly FileId[] | undefined
  #syncedAt = Number.NEGATIVE_INFINITY
  #syncing: Promise<void> | undefined

  /** Requires that the caller has the store open. */
  constructor(path: string) {
    this.#file = openFile(path)
    const read = readSync(this.#file, this.#bytes, 0, length, 0)
    this.wasThere = read > 0
    this.#before = Buffer.from(this.#bytes.subarray(0, read))
    this.found = parse(this.#before)
    this.#position = this.found?.position ?? 0
    this.#commits = this.found?.commits ?? 0
    this.#storeId = this.found?.storeId
    this.#fileIds = this.found?.fileIds
  }

  /** Records that the store may be written from now on, and the ids its file can have; default those it had. */
  open(fileIds = this.#fileIds): void {
    this.#fileIds = fileIds
    this.#write({ isOpen: true })
    fsyncSync(this.#file)
  }

  /** Records that the store is in use from now on. */
  begin({ position, commits, storeId }: Stored & { readonly storeId: StoreId }): void {
    this.#position = position
    this.#commits = commits
    this.#storeId = storeId
    this.open()
  }

  /** Restores the mark that was found, because the store was closed without being used. */
  withdraw(): void {
    ftruncateSync(this.#file)
    writeSync(this.#file, this.#before, 0, this.#before.length, 0)
    fsyncSync(this.#file)
  }

  /** Records a commit, and the newest batch in the log since. */
  raise({ position, commits }: Stored): void {
    if (position <= this.#position && commits <= this.#commits) return
    this.#position = Math.max(this.#position, position)
    this.#commits = Math.max(this.#commits, commits)
    try {
      this.#write({ isOpen: true })
      this.#sync()
    } catch {
      // The commit is in the store, and a mark that is too low reports no false loss.
    }
  }

  /** Closes the file. With `isClean` it first records that the store was closed, and whether its file must be checked. */
  async end({ isClean, isUnchecked = false }: { readonly isClean: boolean; isUnchecked?: boolean }): Promise<void> {
    await this.#syncing
    try {
      if (isClean) {
        this.#write({ isOpen: false, isUnchecked })
        fsyncSync(this.#file)
      }
    } finally {
      closeSync(this.#file)
    }
  }

  #write({ isOpen, isUnchecked }: Pick<Mark, 'isOpen' | 'isUnchecked'>): void {
    this.#bytes.write(name, 'latin1')
    this.#bytes.writeUInt8(version, 4)
    this.#bytes.writeUInt8(isOpen ? states.open : isUnchecked ? states.unchecked : states.closed, 5)
    this.#bytes.writeUInt8(this.#fileIds?.length ?? 0, 6)
    this.#bytes.writeUInt8(0, 7)
    this.#bytes.writeBigUInt64LE(BigInt(this.#position), 8)
    for (const place of [0, 1]) this.#bytes.writeInt32LE(this.#fileIds?.[place] ?? 0, 16 + 4 * place)
    this.#bytes.writeBigUInt64LE(BigInt(this.#commits), 24)
    this.#bytes.writeBigUInt64LE(BigInt(this.#storeId ?? 0), 32)
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

/** Reads a mark without changing it; undefined when there is no readable one. */
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
  const ids = end < 28 ? [] : [16, 20].slice(0, bytes.readUInt8(6)).map((place) => bytes.readInt32LE(place))
  return {
    isOpen: bytes.readUInt8(5) === states.open,
    isUnchecked: bytes.readUInt8(5) === states.unchecked || undefined,
    position: Number(bytes.readBigUInt64LE(8)),
    commits: end < length ? 0 : Number(bytes.readBigUInt64LE(24)),
    storeId: end < length ? undefined : Number(bytes.readBigUInt64LE(32)) || undefined,
    fileIds: ids.length > 0 ? ids : undefined,
  }
}
