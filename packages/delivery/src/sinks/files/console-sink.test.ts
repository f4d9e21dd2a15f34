import { PassThrough, Writable } from 'node:stream'
import { sink } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { createConsoleSink } from './console-sink.ts'

const live = (timeMs = 2_000) => ({ signal: new AbortController().signal, timeMs })
const request = (stream: string, ...lines: { readonly [key: string]: string }[]) =>
  sink({ method: 'POST', endpoint: `console:${stream}`, body: { lines } })

describe('console sink', () => {
  it('writes a line of JSON for each event to the stream in the endpoint', async () => {
    const stdout = new PassThrough()
    const stderr = new PassThrough()
    const console = createConsoleSink({ stdout, stderr })
    expect(await console.send(request('stdout', { n: '1' }, { n: '2' }), live())).toMatchObject({ status: 200 })
    expect(await console.send(request('stderr', { n: '3' }), live())).toMatchObject({ status: 200 })
    expect(String(stdout.read())).toBe('{"n":"1"}\n{"n":"2"}\n')
    expect(String(stderr.read())).toBe('{"n":"3"}\n')
  })

  it('escapes control characters of terminals, so that the JSON stays equal', async () => {
    const stdout = new PassThrough()
    const hostile = { name: 'a\u001b[2J\u009b2J\u007f\r\n' }
    await createConsoleSink({ stdout }).send(request('stdout', hostile), live())
    const line = String(stdout.read())
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must be escaped
    expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    expect(JSON.parse(line)).toEqual(hostile)
  })

  it('waits for a slow reader, up to its time limit', async () => {
    const stuck = new Writable({ write: () => {} })
    const sent = createConsoleSink({ stdout: stuck }).send(request('stdout', {}), live(30))
    expect(await sent).toMatchObject({ kind: 'network', code: 'ETIMEDOUT' })
  })

  it('reports a reader that disconnected, without ending the process', async () => {
    const gone = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(), { code: 'EPIPE' })),
    })
    expect(await createConsoleSink({ stdout: gone }).send(request('stdout', {}), live())).toEqual({
      kind: 'network',
      code: 'EPIPE',
      message: 'the console cannot be written to (EPIPE).',
    })
  })

  it('refuses an unknown stream', async () => {
    expect(await createConsoleSink().send(request('constructor', {}), live())).toMatchObject({ kind: 'unsendable' })
  })
})
