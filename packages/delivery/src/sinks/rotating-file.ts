import { type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@sluice/core'
import { replaceFile, syncFolder } from './replace-file.ts'

/** When a file ends, and what counts as written. */
export interface FilePolicy {
  /** A file that would become longer gets no more lines. One append is never split. */
  readonly rotateBytes: number
  readonly rotateMs: number
  /** Whether an append ends only when the disk has it. */
  readonly fsync: boolean
}

interface Current {
  readonly path: string
  readonly handle: FileHandle
  /** When the file was begun, as its name says. */
  readonly begunMs: number
  readonly inode: number
  bytes: number
}

/**
 * Lines in a row of files `<name>-<when it was begun>.ndjson`, which sort by their names in the order of time. Begins a new
 * one by size and age, and when somebody took the old one away. Appends go one after the other.
 *
 * A failed append leaves nothing behind. What a crash tears is at most the last line of the newest file, and the next
 * opening ends it with a line break, so that it spoils no other line. One process at a time.
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

  /** Whether nobody waits for an append. */
  get isIdle(): boolean {
    return this.#waiting === 0
  }

  /** Appends whole lines. What has not begun when `stopped` aborts is not begun any more. */
  append(lines: string, policy: FilePolicy, stopped: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      stopped.throwIfAborted()
      await this.#write(Buffer.from(lines), policy)
    })
  }

  /**
   * Puts what `change` makes of a file in its place, in one step; appends go on until all but the end is read. Where that
   * fails, the file stays as it was.
   *
   * @param path one of these files.
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
      // Out of turn, an append may be writing to it; the next one looks whether the file is still the same.
      if (turn.leave && this.#current?.path === path) await this.#letGo()
      turn.leave?.()
      this.#waiting -= 1
    }
  }

  /** After what is under way. An append after that opens it again. */
  close(): Promise<void> {
    return this.#inTurn(() => this.#letGo())
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
      // Where even this fails, the next opening ends the torn line.
      await current.handle.truncate(current.bytes).catch(() => {})
      await this.#letGo()
      throw error
    }
  }

  async #fileFor(bytes: number, policy: FilePolicy): Promise<Current> {
    const fits = (file: Current): boolean =>
      (file.bytes === 0 || file.bytes + bytes <= policy.rotateBytes) &&
      this.#clock.now() - file.begunMs < policy.rotateMs
    if (this.#current && !(await isInPlace(this.#current))) await this.#letGo()
    this.#current ??= await this.#openNewest()
    const { begunMs } = this.#current ?? {}
    if (!this.#current || !fits(this.#current)) {
      await this.#letGo()
      this.#current = await this.#begin(begunMs, policy)
    }
    return this.#current
  }

  async #openNewest(): Promise<Current | undefined> {
    await mkdir(this.#folder, { recursive: true })
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

  /** Later than the one before, whatever the clock says, so that the newest stays the newest. */
  async #begin(before: number | undefined, { fsync }: FilePolicy): Promise<Current> {
    const begunMs = Math.max(this.#clock.now(), (before ?? Number.NEGATIVE_INFINITY) + 1)
    return this.#open(begunMs, 'ax+', async (_, bytes) => {
      if (fsync) await syncFolder(this.#folder)
      return bytes
    })
  }

  /** @param prepare gives how long the file is then; where it fails, the file is closed. */
  async #open(
    begunMs: number,
    flags: 'a+' | 'ax+',
    prepare: (handle: FileHandle, bytes: number) => Promise<number>,
  ): Promise<Current> {
    const path = join(this.#folder, `${this.#name}-${stampOf(begunMs)}.ndjson`)
    const handle = await open(path, flags)
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

  async #letGo(): Promise<void> {
    const current = this.#current
    this.#current = undefined
    await current?.handle.close()
  }
}

/** What a file name says, if it is one of a row of files. */
export function rotatedName(entry: string): { readonly name: string; readonly begunMs: number } | undefined {
  const [, name, date, time] = /^(.+)-(\d{4}-\d\d-\d\d)T(\d{9})Z\.ndjson$/s.exec(entry) ?? []
  if (name === undefined || date === undefined || time === undefined) return undefined
  const begunMs = Date.parse(`${date}T${time.replace(/(..)(..)(..)(...)/, '$1:$2:$3.$4')}Z`)
  return Number.isNaN(begunMs) ? undefined : { name, begunMs }
}

/** Reads a file to its end, waits for those who write to it, and reads what they have added. */
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

/** Without colons, which not every file system takes. */
const stampOf = (timeMs: number): string =>
  new Date(timeMs).toISOString().replace(/T.*/, (time) => time.replace(/[:.]/g, ''))

const isInPlace = async ({ path, inode }: Current): Promise<boolean> =>
  stat(path).then(
    ({ ino }) => ino === inode,
    () => false,
  )
