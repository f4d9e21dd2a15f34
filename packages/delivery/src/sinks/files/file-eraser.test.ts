import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, type JsonObject } from '@sluice/core'
import { sink } from '@sluice/destinations/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClosableTransport } from '../../transport/transport.ts'
import { countFileLines } from './count-file-lines.ts'
import { createFileSink } from './file-sink.ts'

const { signal } = new AbortController()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-erase-'))
})
const started: ClosableTransport[] = []
afterEach(async () => {
  for (const file of started.splice(0)) await file.close()
  rmSync(folder, { recursive: true })
})

function start(clock = createManualClock()) {
  const file = createFileSink({ clock })
  started.push(file)
  const append = (lines: readonly JsonObject[], name = 'events', rotateBytes = 1_000_000_000) => {
    const params = { folder, rotateBytes, rotateMinutes: 60, fsync: false }
    return file.send(sink({ method: 'POST', endpoint: `file:${name}`, params, body: { lines } }), {
      signal,
      timeMs: 10_000,
    })
  }
  const erase = (users: readonly string[], name = 'events') =>
    file.eraseLines({
      place: sink({ method: 'GET', endpoint: `file:${name}`, params: { folder }, body: {} }),
      userIdAt: undefined,
      users: new Map(users.map((user) => [user, ''])),
      reached: async () => {},
      signal,
    })
  return { file, append, erase, clock }
}

const count = (users: readonly string[], name = 'events') =>
  countFileLines({
    place: sink({ method: 'GET', endpoint: `file:${name}`, params: { folder }, body: {} }),
    userIdAt: undefined,
    userIds: new Set(users),
    signal,
  })
const of = (userId: string, n: number) => ({ userId, n })
const texts = () =>
  readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
const inodes = () =>
  readdirSync(folder)
    .toSorted()
    .map((name) => statSync(join(folder, name)).ino)

describe('erasing users from files', () => {
  it('removes their lines from rotated files and the current one, and leaves other files unchanged', async () => {
    const { append, erase } = start()
    await append([of('gone', 1), of('stays', 2)], 'events', 60)
    await append([of('stays', 3), of('stays', 4)], 'events', 60)
    await append([of('stays', 5), of('gone', 6)], 'events', 60)
    const before = inodes()
    expect(await erase(['gone'])).toEqual({ status: 'complete' })
    expect(texts()).toEqual([
      '{"userId":"stays","n":2}\n',
      '{"userId":"stays","n":3}\n{"userId":"stays","n":4}\n',
      '{"userId":"stays","n":5}\n',
    ])
    expect(inodes()[1]).toBe(before[1])
    expect(inodes()[0]).not.toBe(before[0])
    await append([of('stays', 7)])
    expect(texts()[2]).toBe('{"userId":"stays","n":5}\n{"userId":"stays","n":7}\n')
  })

  it('loses no line that is appended at the same time, and keeps the order', async () => {
    const { append, erase } = start()
    const filler = Array.from({ length: 200_000 }, (_, n) => of(n % 2 ? 'gone' : 'stays', n))
    await append(filler)
    let isErasing = true
    const erased = erase(['gone']).finally(() => {
      isErasing = false
    })
    let appended = 0
    let meanwhile = 0
    for (; isErasing || appended < 20; appended += 1) {
      expect(await append([of('late', appended)])).toMatchObject({ status: 200 })
      if (isErasing) meanwhile += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await erased).toEqual({ status: 'complete' })
    const expected = filler.filter(({ userId }) => userId === 'stays')
    expected.push(...Array.from({ length: appended }, (_, n) => of('late', n)))
    expect(texts()).toEqual([expected.map((line) => `${JSON.stringify(line)}\n`).join('')])
    expect(meanwhile).toBeGreaterThan(0)
  })

  it('searches only files of its name, or all files when events choose the names', async () => {
    const { append, erase } = start()
    for (const name of ['events', 'events-more', 'other']) await append([of('gone', 1), of('stays', 2)], name)
    writeFileSync(join(folder, 'notes.txt'), '{"userId":"gone"}\n')
    await erase(['gone'])
    expect(texts().filter((text) => text.includes('gone'))).toHaveLength(3)
    await erase(['gone'], '')
    expect(texts().filter((text) => text.includes('gone'))).toEqual(['{"userId":"gone"}\n'])
  })

  it('removes leftovers of an interrupted erasure, and keeps the file permissions', async () => {
    const { append, erase, file } = start()
    await append([of('gone', 1)])
    await file.close()
    const [name = ''] = readdirSync(folder)
    writeFileSync(join(folder, `.${name}.new`), 'half of it')
    writeFileSync(join(folder, '.mine.new'), 'of somebody else')
    const { mode } = statSync(join(folder, name))
    expect(await erase(['gone'])).toEqual({ status: 'complete' })
    expect(readdirSync(folder).toSorted()).toEqual(['.mine.new', name])
    expect([statSync(join(folder, name)).mode, statSync(join(folder, name)).size]).toEqual([mode, 0])
  })

  it('finds before what it removes, in files of its name, and nothing afterwards', async () => {
    const { append, erase } = start()
    await append([of('gone', 1), of('stays', 2)], 'events', 60)
    await append([of(' gone', 3), of('other', 4)], 'events', 60)
    await append([of('gone', 5)], 'events-more')
    const before = texts()
    expect(await count(['gone'])).toEqual({ ok: true, count: 2 })
    expect(await count(['gone', 'other'], '')).toEqual({ ok: true, count: 4 })
    expect(texts()).toEqual(before)
    await erase(['gone'], '')
    expect(await count(['gone'], '')).toEqual({ ok: true, count: 0 })
  })

  it('finds lines that an interrupted erasure left behind', async () => {
    const { append, file } = start()
    await append([of('stays', 1)])
    await file.close()
    const [name = ''] = readdirSync(folder)
    writeFileSync(join(folder, `.${name}.new`), '{"userId":"gone"}\n')
    expect(await count(['gone'])).toEqual({ ok: true, count: 1 })
  })

  it('is complete when nothing was written yet', async () => {
    rmSync(folder, { recursive: true })
    expect(await start().erase(['gone'])).toEqual({ status: 'complete' })
    expect(existsSync(folder)).toBe(false)
    folder = mkdtempSync(join(tmpdir(), 'sluice-erase-'))
  })
})
