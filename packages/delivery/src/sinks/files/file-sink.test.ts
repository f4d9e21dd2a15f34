import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, type JsonObject } from '@sluice/core'
import { sink } from '@sluice/destinations/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileSink } from './file-sink.ts'

const live = { signal: new AbortController().signal, timeMs: 5_000 }
const minuteMs = 60_000
const written = { kind: 'reply', status: 200, headers: {}, body: '' }

let folder: string
let clock: ReturnType<typeof createManualClock>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-file-'))
  clock = createManualClock(Date.UTC(2026, 0, 1, 8, 30))
})
afterEach(() => {
  chmodSync(folder, 0o700)
  rmSync(folder, { recursive: true })
})

const start = () => createFileSink({ clock })
const request = (lines: readonly JsonObject[], params: JsonObject = {}, name = 'events') =>
  sink({
    method: 'POST',
    endpoint: `file:${name}`,
    params: { folder, rotateBytes: 1_000_000, rotateMinutes: 60, fsync: true, ...params },
    body: { lines },
  })

/** Returns the files of the folder by name, sorted. */
const files = () =>
  Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

const first = 'events-2026-01-01T083000000Z.ndjson'

describe('file sink', () => {
  it('creates the folder and appends a line for each event', async () => {
    const file = start()
    const deep = { folder: join(folder, 'a', 'b') }
    expect(await file.send(request([{ n: 1 }, { n: 2 }], deep), live)).toEqual(written)
    expect(await file.send(request([{ n: 3 }], deep), live)).toEqual(written)
    expect(readFileSync(join(deep.folder, first), 'utf8')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
    // Events are data of people: other users of the machine cannot read them.
    expect([deep.folder, join(deep.folder, first)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600])
    await file.close()
  })

  it('keeps lines whole and in order when many are sent concurrently', async () => {
    const file = start()
    const all = Array.from({ length: 200 }, (_, n) => ({ n, filling: 'x'.repeat(n * 7) }))
    await Promise.all(all.map((each) => file.send(request([each]), live)))
    expect(files()[first]).toBe(all.map((each) => `${JSON.stringify(each)}\n`).join(''))
    await file.close()
  })

  it('starts a new file before one exceeds the size limit, and splits no append', async () => {
    const file = start()
    for (const n of [1, 2, 3]) await file.send(request([{ n }, { n }], { rotateBytes: 35 }), live)
    await file.send(request([{ long: 'x'.repeat(99) }], { rotateBytes: 35 }), live)
    expect(Object.values(files())).toEqual([
      '{"n":1}\n{"n":1}\n{"n":2}\n{"n":2}\n',
      '{"n":3}\n{"n":3}\n',
      `{"long":"${'x'.repeat(99)}"}\n`,
    ])
    await file.close()
  })

  it('starts a new file when the current one is too old, even if it was created before a restart', async () => {
    const before = start()
    await before.send(request([{ n: 1 }]), live)
    clock.advance(59 * minuteMs)
    await before.send(request([{ n: 2 }]), live)
    await before.close()
    clock.advance(minuteMs)
    const after = start()
    await after.send(request([{ n: 3 }]), live)
    await after.close()
    expect(files()).toEqual({
      [first]: '{"n":1}\n{"n":2}\n',
      'events-2026-01-01T093000000Z.ndjson': '{"n":3}\n',
    })
  })

  it('ends a line that a crash cut off, so that it does not damage the next', async () => {
    writeFileSync(join(folder, first), '{"n":1}\n{"n":')
    const file = start()
    await file.send(request([{ n: 2 }]), live)
    expect(files()[first]).toBe('{"n":1}\n{"n":\n{"n":2}\n')
    await file.close()
  })

  it('also ends a cut-off line in a file that gets no more lines', async () => {
    writeFileSync(join(folder, first), '{"n":')
    clock.advance(61 * minuteMs)
    const file = start()
    await file.send(request([{ n: 2 }]), live)
    expect(Object.values(files())).toEqual(['{"n":\n', '{"n":2}\n'])
    await file.close()
  })

  it('continues with the newest of its own files and leaves others unchanged', async () => {
    const others = [
      'events.ndjson',
      'events-x-2026-01-01T083000001Z.ndjson',
      'events-9999-99-99T999999999Z.ndjson',
      'other',
    ]
    for (const name of others) writeFileSync(join(folder, name), 'kept')
    appendFileSync(join(folder, first), '{"n":1}\n')
    const file = start()
    await file.send(request([{ n: 2 }]), live)
    expect(files()).toEqual({
      ...Object.fromEntries(others.map((name) => [name, 'kept'])),
      [first]: '{"n":1}\n{"n":2}\n',
    })
    await file.close()
  })

  it('starts a new file when the current one was moved away', async () => {
    const file = start()
    await file.send(request([{ n: 1 }]), live)
    renameSync(join(folder, first), join(folder, 'taken'))
    await file.send(request([{ n: 2 }]), live)
    rmSync(folder, { recursive: true })
    await file.send(request([{ n: 3 }]), live)
    expect(Object.values(files())).toEqual(['{"n":3}\n'])
    await file.close()
  })

  it('keeps files of different names apart, and closes the least recently used ones', async () => {
    const file = createFileSink({ clock, openFilesMax: 2 })
    for (const n of [1, 2]) for (const name of ['a', 'b', 'c', 'a-b']) await file.send(request([{ n }], {}, name), live)
    expect(Object.values(files())).toEqual([
      '{"n":1}\n{"n":2}\n',
      '{"n":1}\n{"n":2}\n',
      '{"n":1}\n{"n":2}\n',
      '{"n":1}\n{"n":2}\n',
    ])
    await file.close()
  })

  it('reports a folder that cannot be written, and continues once it can', async () => {
    const occupied = join(folder, 'occupied')
    writeFileSync(occupied, '')
    const file = start()
    const params = { folder: occupied }
    expect(await file.send(request([{ n: 1 }], params), live)).toEqual({
      kind: 'network',
      code: 'EEXIST',
      message: 'the file cannot be written (EEXIST).',
    })
    rmSync(occupied)
    expect(await file.send(request([{ n: 1 }], params), live)).toEqual(written)
    await file.close()
  })

  for (const name of ['', '.', '..', '../x', 'a/b', '/etc/x', 'a\\b', '.hidden', 'a\0b']) {
    it(`refuses the name ${JSON.stringify(name)}`, async () => {
      expect(await start().send(request([{ n: 1 }], {}, name), live)).toMatchObject({ kind: 'unsendable' })
      expect(files()).toEqual({})
    })
  }

  it('rejects immediately when the signal aborts, and starts nothing after that', async () => {
    const file = start()
    const stop = new AbortController()
    const sent = [1, 2, 3].map((n) => file.send(request([{ n }]), { ...live, signal: stop.signal }))
    stop.abort(new Error('stopping'))
    for (const each of sent) await expect(each).rejects.toThrow('stopping')
    await file.close()
    expect(files()[first] ?? '').not.toContain('"n":3')
  })
})
