import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type BodyLimits, type BodyResult, readBody } from './body.ts'
import { BodyBudget } from './body-budget.ts'

const roomy: BodyLimits = { bytesMax: 10_000_000, graceMs: 5_000, bytesPerSecondMin: 1 }

/** Reads a body. */
async function read(
  body: RequestInit['body'],
  limits: Partial<BodyLimits> = {},
  { headers = {}, budget = new BodyBudget(50_000_000) }: { headers?: Record<string, string>; budget?: BodyBudget } = {},
): Promise<BodyResult> {
  const init = { method: 'POST', body: body ?? null, headers, duplex: 'half' } as RequestInit
  const open = budget.open('w')
  const result = await readBody(new Request('http://sluice.test/', init), undefined, { ...roomy, ...limits }, open)
  open.close()
  return result
}

/** A body of these chunks; it stays open when the last is undefined, and fails when it is an error. */
function streamOf(...chunks: readonly (string | Error | undefined)[]): ReadableStream {
  const bytes = new TextEncoder()
  const left = [...chunks]
  return new ReadableStream({
    pull(controller) {
      if (left.length === 0) return controller.close()
      const next = left.shift()
      if (next instanceof Error) return controller.error(next)
      if (next !== undefined) return controller.enqueue(bytes.encode(next))
      return new Promise(() => {})
    },
  })
}

describe('a request body', () => {
  it('is text, in however many chunks it arrives', async () => {
    expect(await read('{"a":"ü😀"}')).toEqual({ ok: true, bytes: Buffer.from('{"a":"ü😀"}') })
    expect(await read(streamOf('{"a"', ':1', '}'))).toEqual({ ok: true, bytes: Buffer.from('{"a":1}') })
  })

  it('is inflated when it begins like gzip, whatever the headers say', async () => {
    expect(await read(gzipSync('{"a":1}'))).toEqual({ ok: true, bytes: Buffer.from('{"a":1}') })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await read(gzipSync('{"a":1}'), {}, { headers })).toEqual({ ok: true, bytes: Buffer.from('{"a":1}') })
    expect(await read('plain', {}, { headers: { 'content-encoding': 'gzip' } })).toEqual({
      ok: true,
      bytes: Buffer.from('plain'),
    })
  })

  it('is missing when it is empty or absent', async () => {
    expect(await read('')).toEqual({ ok: false, code: 'bodyMissing' })
    expect(await read(null)).toEqual({ ok: false, code: 'bodyMissing' })
  })

  it('may be as large as the limit, and no larger', async () => {
    expect(await read('x'.repeat(100), { bytesMax: 100 })).toMatchObject({ ok: true })
    expect(await read('x'.repeat(101), { bytesMax: 100 })).toEqual({ ok: false, code: 'bodyTooLarge' })
  })

  it('is refused by its declared length before it is read', async () => {
    const body = streamOf(undefined)
    const limits = { bytesMax: 100 }
    expect(await read(body, limits, { headers: { 'content-length': '101' } })).toEqual({
      ok: false,
      code: 'bodyTooLarge',
    })
  })

  it('is limited also when it is inflated, in bytes and by its ratio', async () => {
    expect(await read(gzipSync('x'.repeat(1_000)), { bytesMax: 999 })).toEqual({ ok: false, code: 'bodyTooLarge' })
    expect(await read(gzipSync('x'.repeat(1_000_000)))).toMatchObject({
      code: 'bodyTooLarge',
      detail: expect.stringContaining('200 times'),
    })
    // A small one may inflate as much as it likes.
    expect(await read(gzipSync('x'.repeat(60_000)))).toMatchObject({ ok: true })
  })

  it('is refused when it is no complete gzip', async () => {
    const zipped = gzipSync('{"a":1}')
    for (const broken of [zipped.subarray(0, -4), Buffer.from([0x1f, 0x8b]), Buffer.from([0x1f, 0x8b, 8, 0, 0, 1])])
      expect(await read(new Uint8Array(broken))).toEqual({ ok: false, code: 'bodyInvalidGzip' })
  })

  it('is aborted when its sender disconnects', async () => {
    expect(await read(streamOf('{', new Error('reset')))).toEqual({ ok: false, code: 'bodyAborted' })
  })

  it('must arrive at the least pace after the time of grace', async () => {
    const limits = { graceMs: 5, bytesPerSecondMin: 1_000 }
    expect(await read(streamOf('x', undefined), limits)).toEqual({ ok: false, code: 'bodyTooSlow' })
  })

  it('is refused when there is no memory for it, plain or inflated', async () => {
    const unavailable = { ok: false, code: 'unavailable' }
    expect(await read('x'.repeat(101), {}, { budget: new BodyBudget(100) })).toEqual(unavailable)
    expect(await read(gzipSync('x'.repeat(1_000)), {}, { budget: new BodyBudget(100) })).toEqual(unavailable)
  })

  it('is refused when another workspace needs its memory', async () => {
    const budget = new BodyBudget(100)
    const reading = read(streamOf('x'.repeat(90), undefined), {}, { budget })
    await expect.poll(() => budget.held('w'), { interval: 1 }).toBe(90)
    expect(budget.open('other').take(20)).toBe(true)
    expect(await reading).toEqual({ ok: false, code: 'unavailable' })
  })
})
