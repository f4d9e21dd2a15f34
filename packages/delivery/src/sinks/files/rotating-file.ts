import { type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@sluice/core'
import { replaceFile, syncFolder } from './replace-file.ts'

/** Rules for starting a new file, and for when lines count as written. */
export interface FilePolicy {
  /** Maximum size of a file in bytes. An append that would exceed it starts a new file; it is never split. */
  readonly rotateBytes: number
  readonly rotateMs: number
  /** Whether an append waits until its lines are on disk. */
  readonly fsync: boolean
}

interface Current {
  readonly path: string
  readonly handle: FileHandle
  /** Start time of the file, from its name, in milliseconds since the epoch. */
  readonly begunMs: number
  readonly inode: number
  bytes: number
}

/**
 * Appends lines to a series of files `<name>-<start time>.ndjson`, whose names sort by time. Starts a new file by size
 * and age, and when the current one was moved away. Appends run one after the other.
 *
 * A failed append leaves nothing behind. A crash cuts off at most the last line of the newest file. The next opening
 * ends it with a line break, so that it does not damage the next line. Only one process may write to a series.
 */
export class RotatingFile {
  readonly #folder: string
  readonly #name: string
  readonly #clock: Pick<Clock, 'now'>
  #current: Current | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(folder: string, name: string, clock: Pick<Clock, 'now'>) {
    this.#folder = folder
    this.#name = name
    this.#clock = clock
  }

  /** True when no append is waiting or running. */
  get isIdle(): boolean {
    return this.#waiting === 0
  }

  /** Appends whole lines. Does nothing if `stopped` aborts before its turn. */
  append(lines: string, policy: FilePolicy, stopped: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      stopped.throwIfAborted()
      await this.#write(Buffer.from(lines), policy)
    })
  }

  /**
   * Replaces a file by the result of `change`, in one step. Appends continue until all but the end of the file is read.
   * If it fails, the file stays unchanged.
   *
   * @param path path of a file of this series.
   */
  async rewrite(
    path: string,
    change: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
  ): Promise<void> {
    this.#waiting += 1
    const turn: { leave?: () => void } = {}
    const enter = () =>
      new Promise<void>((entered) => {
        void this.#inTurn(async () => {
          entered()
          await new Promise<void>((left) => {
            turn.leave = left
          })
        })
      })
    try {
      await replaceFile(path, (before) => change(whileItGrows(before, enter)))
    } finally {
      // Without the turn, an append may be writing to it. The next append checks whether the file is still the same.
      if (turn.leave && this.#current?.path === path) await this.#closeCurrent()
      turn.leave?.()
      this.#waiting -= 1
    }
  }

  /** Closes the file after pending appends. A later append opens it again. */
  close(): Promise<void> {
    return this.#inTurn(() => this.#closeCurrent())
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    this.#waiting += 1
    const mine = this.#last.then(work).finally(() => {
      this.#waiting -= 1
    })
    this.#last = mine.catch(() => {})
    return mine
  }

  async #write(bytes: Buffer, policy: FilePolicy): Promise<void> {
    const current = await this.#fileFor(bytes.length, policy)
    try {
      await current.handle.appendFile(bytes)
      if (policy.fsync) await current.handle.datasync()
      current.bytes += bytes.length
    } catch (error) {
      // If this fails too, the next opening ends the cut-off line.
      await current.handle.truncate(current.bytes).catch(() => {})
      await this.#closeCurrent()
      throw error
    }
  }

  async #fileFor(bytes: number, policy: FilePolicy): Promise<Current> {
    const fits = (file: Current): boolean =>
      (file.bytes === 0 || file.bytes + bytes <= policy.rotateBytes) &&
      this.#clock.now() - file.begunMs < policy.rotateMs
    if (this.#current && !(await isInPlace(this.#current))) await this.#closeCurrent()
    this.#current ??= await this.#openNewest()
    const { begunMs } = this.#current ?? {}
    if (!this.#current || !fits(this.#current)) {
      await this.#closeCurrent()
      this.#current = await this.#begin(begunMs, policy)
    }
    return this.#current
  }

  async #openNewest(): Promise<Current | undefined> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const times = (await readdir(this.#folder)).flatMap((entry) => this.#timeOf(entry) ?? [])
    if (times.length === 0) return undefined
    const begunMs = times.reduce((a, b) => Math.max(a, b))
    return this.#open(begunMs, 'a+', async (handle, bytes) => {
      if (bytes === 0) return bytes
      const end = Buffer.alloc(1)
      await handle.read(end, 0, 1, bytes - 1)
      if (end.toString() === '\n') return bytes
      await handle.appendFile('\n')
      return bytes + 1
    })
  }

  /** Starts a file with a later time than the previous one, even if the clock was set back, so that it sorts last. */
  async #begin(before: number | undefined, { fsync }: FilePolicy): Promise<Current> {
    const begunMs = Math.max(this.#clock.now(), (before ?? Number.NEGATIVE_INFINITY) + 1)
    return this.#open(begunMs, 'ax+', async (_, bytes) => {
      if (fsync) await syncFolder(this.#folder)
      return bytes
    })
  }

  /** @param prepare returns the length of the file; if it fails, the file is closed. */
  async #open(
    begunMs: number,
    flags: 'a+' | 'ax+',
    prepare: (handle: FileHandle, bytes: number) => Promise<number>,
  ): Promise<Current> {
    const path = join(this.#folder, `${this.#name}-${stampOf(begunMs)}.ndjson`)
    // Events are data of people: no other user of the machine reads them.
    const handle = await open(path, flags, 0o600)
    try {
      const { size, ino } = await handle.stat()
      return { path, handle, begunMs, inode: ino, bytes: await prepare(handle, size) }
    } catch (error) {
      await handle.close().catch(() => {})
      throw error
    }
  }

  #timeOf(entry: string): number | undefined {
    const found = rotatedName(entry)
    return found?.name === this.#name ? found.begunMs : undefined
  }

  async #closeCurrent(): Promise<void> {
    const current = this.#current
    this.#current = undefined
    await current?.handle.close()
  }
}

/** Parses the name of a file of a series; undefined for other names. */
export function rotatedName(entry: string): { readonly name: string; readonly begunMs: number } | undefined {
  const [, name, date, time] = /^(.+)-(\d{4}-\d\d-\d\d)T(\d{9})Z\.ndjson$/s.exec(entry) ?? []
  if (name === undefined || date === undefined || time === undefined) return undefined
  const begunMs = Date.parse(`${date}T${time.replace(/(..)(..)(..)(...)/, '$1:$2:$3.$4')}Z`)
  return Number.isNaN(begunMs) ? undefined : { name, begunMs }
}

/** Reads a file to its end, waits for its turn to write, and reads what was appended meanwhile. */
async function* whileItGrows(file: FileHandle, enter: () => Promise<void>): AsyncGenerator<Uint8Array> {
  let position = 0
  for (let isLast = false; ; isLast = true) {
    for await (const chunk of file.createReadStream({ start: position, autoClose: false })) {
      position += chunk.length
      yield chunk
    }
    if (isLast) return
    await enter()
  }
}

/** Formats a time without colons, which some file systems do not allow. */
const stampOf = (timeMs: number): string =>
  new Date(timeMs).toISOString().replace(/T.*/, (time) => time.replace(/[:.]/g, ''))

const isInPlace = async ({ path, inode }: Current): Promise<boolean> =>
  stat(path).then(
    ({ ino }) => ino === inode,
    () => false,
  )
