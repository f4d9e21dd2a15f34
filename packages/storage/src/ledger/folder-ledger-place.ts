import { link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Random, uuidV4 } from '@sluice/core'
import type { LedgerLine, LedgerPlace } from '@sluice/regulation'

const ending = '.jsonl'
/** Folder of the notes. */
const notesFolder = 'notes'
/** Longest line that is read: as many regulations as a line holds, with every list of ids at its longest. */
const lineBytesMax = 64 * 1_024 * 1_024
/** Bytes read at a time. */
const readBytes = 1_024 * 1_024
const lineFeed = 10

/**
 * Keeps a ledger in a folder: a file per chain, a line of JSON per entry, readable by its owner only. Positions are
 * bytes. Several processes may share the folder where a link to a new file fails when its name is taken, as on local
 * disks and NFS.
 */
export function createFolderLedgerPlace(folder: string, random: Random): LedgerPlace {
  const root = resolve(folder)
  const pathOf = (chain: string): string => join(root, `${chain}${ending}`)
  const noteOf = (...name: readonly string[]): string => join(root, notesFolder, ...name)
  const made = new Set<string>()
  const makeRoot = async (): Promise<void> => {
    await mkdir(root, { recursive: true, mode: 0o700 })
  }
  const kept = async (name: string): Promise<string | undefined> =>
    (await unlessMissing(readFile(join(root, name), 'utf8')))?.trimEnd()
  return {
    name: `the folder ${root}`,
    kept,
    keep: async (name, fresh) => {
      const known = await kept(name)
      if (known !== undefined) return known
      await makeRoot()
      const draft = join(root, `.${name}-${uuidV4(random)}`)
      await writeDurably(draft, 0, Buffer.from(`${fresh}\n`))
      // Fails when another process was first: its text is kept.
      await link(draft, join(root, name)).catch((error: unknown) => {
        if (!isCode(error, 'EEXIST')) throw error
      })
      await rm(draft, { force: true })
      await syncFolder(root)
      return (await kept(name)) ?? fresh
    },
    replace: async (name, text) => {
      await makeRoot()
      const draft = join(root, `.${name}-${uuidV4(random)}`)
      await writeDurably(draft, 0, Buffer.from(`${text}\n`))
      await rename(draft, join(root, name))
      await syncFolder(root)
    },
    chains: async () => {
      const names = (await unlessMissing(readdir(root))) ?? []
      return names
        .filter((name) => name.endsWith(ending) && !name.startsWith('.'))
        .map((name) => name.slice(0, -ending.length))
        .sort()
    },
    read: async (chain, from, limit) => (await unlessMissing(readLines(pathOf(chain), from, limit))) ?? [],
    append: async (chain, at, text) => {
      const path = pathOf(chain)
      const isNew = !made.has(chain)
      if (isNew) await makeRoot()
      const bytes = Buffer.from(`${text}\n`)
      await writeDurably(path, at, bytes)
      // Once per file: its name must be durable, too.
      if (isNew) await syncFolder(root)
      made.add(chain)
      return at + bytes.length
    },
    writeNote: async (name, text) => {
      await mkdir(noteOf(), { recursive: true, mode: 0o700 })
      const draft = join(noteOf(), `.${uuidV4(random)}`)
      await writeDurably(draft, 0, Buffer.from(text))
      await rename(draft, noteOf(name))
      await syncFolder(noteOf())
    },
    readNote: (name) => unlessMissing(readFile(noteOf(name), 'utf8')),
    notes: async () => ((await unlessMissing(readdir(noteOf()))) ?? []).filter((name) => !name.startsWith('.')).sort(),
    removeNote: async (name) => {
      await rm(noteOf(name), { force: true })
      await unlessMissing(syncFolder(noteOf()))
    },
    close: async () => {},
  }
}

async function readLines(path: string, from: number, limit: number): Promise<readonly LedgerLine[]> {
  const file = await open(path, 'r')
  try {
    const lines: LedgerLine[] = []
    let rest = Buffer.alloc(0)
    for (let at = from; lines.length < limit; ) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(readBytes), position: at + rest.length })
      // Bytes behind the last line end are a line whose write failed, so it was never acknowledged.
      if (bytesRead === 0) break
      rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
      for (let end = rest.indexOf(lineFeed); end >= 0 && lines.length < limit; end = rest.indexOf(lineFeed)) {
        at += end + 1
        lines.push({ text: rest.toString('utf8', 0, end), next: at })
        rest = rest.subarray(end + 1)
      }
      if (rest.length > lineBytesMax) throw new RangeError(`${path} has a line longer than ${lineBytesMax} bytes`)
    }
    return lines
  } finally {
    await file.close()
  }
}

/** Writes at a position, and cuts all bytes behind. */
async function writeDurably(path: string, at: number, bytes: Uint8Array): Promise<void> {
  // Not with 'a', which ignores positions.
  const file = await open(path, at === 0 ? 'w' : 'r+', 0o600)
  try {
    const { size } = await file.stat()
    if (size < at) throw new RangeError(`${path} has ${size} bytes, fewer than were written: it was changed`)
    if (size > at) await file.truncate(at)
    await file.write(bytes, 0, bytes.length, at)
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function unlessMissing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
