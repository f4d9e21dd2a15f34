import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { builtInDestinations, parseSettings } from '@sluice/destinations'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadProject } from '../project/load-project.ts'
import type { OfflineDestination } from '../run/offline-run.ts'
import { createOfflineRunner, type OfflineRunner } from '../run/offline-runner.ts'
import type { CaseReport } from './case-report.ts'
import type { CaseSetup } from './run-case.ts'
import { checkLibraries, runProject } from './run-project.ts'

let runner: OfflineRunner
let root: string

beforeAll(async () => {
  runner = await createOfflineRunner()
})
afterAll(() => runner.close())
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-cases-'))
  mkdirSync(join(root, '.git'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(files: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), typeof value === 'string' ? value : JSON.stringify(value))
  }
}
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'))

/** Runs the only case of the only transformation. */
async function run(code: string, files: Readonly<Record<string, unknown>>, setup: Partial<CaseSetup> = {}) {
  write({ 'transformations/t.ts': code, ...files })
  const project = await loadProject(root)
  if (project === undefined) throw new Error('no project was found')
  const reports: CaseReport[] = []
  for await (const report of runProject(project, { runner, ...setup })) reports.push(report)
  const [report, ...more] = reports
  if (report === undefined || more.length > 0) throw new Error(`${reports.length} cases`)
  return report
}
const paths = ({ problems }: CaseReport): unknown =>
  problems.map((problem) =>
    problem.kind === 'output' || problem.kind === 'requests' ? problem.diff.paths : problem.kind,
  )

const input = 'tests/t/input/a.json'
const output = 'tests/t/output/a.json'
const doubling = `export function transformEvent(event) {
  log('saw', event.n)
  if (event.n === 0) return null
  if (event.n === 1) return event.a.b
  return [event, { ...event, n: event.n * 2 }]
}`
const firstLine = "TypeError: Cannot read properties of undefined (reading 'b')"

describe('a case', () => {
  const events = [{ n: 0 }, { n: 1 }, { n: 2 }]

  it('passes when all results, in order, are expected, with {error} for a failed event', async () => {
    const report = await run(doubling, { [input]: events, [output]: [{ error: firstLine }, { n: 2 }, { n: 4 }] })
    expect(report).toMatchObject({ status: 'passed', events: 3, log: ['saw 0', 'saw 1', 'saw 2'], problems: [] })
  })

  it('accepts the whole message of an error as well, and an object for a single result', async () => {
    const [problem] = (await run(doubling, { [input]: { n: 1 } })).problems
    const error = problem?.kind === 'event' ? problem.message : ''
    expect(error).toMatch(/\n +at transformEvent \(t:4:\d+\)$/)
    expect((await run(doubling, { [output]: { error } })).status).toBe('passed')
    expect((await run(doubling, { [output]: { error: error.replace('t:4', 't:5') } })).status).toBe('failed')
  })

  it('fails with the paths that differ, and with the line of code of an event that fails unexpectedly', async () => {
    const report = await run(doubling, { [input]: events, [output]: [{ n: 2 }, { n: 5 }] })
    expect([report.status, paths(report)]).toEqual(['failed', ['event', ['[0]', '[2].n']]])
    expect(report.problems[0]).toMatchObject({
      index: 1,
      stage: 'transformation',
      message: expect.stringContaining(firstLine),
      place: { file: join(root, 'transformations/t.ts'), line: 4, text: '  if (event.n === 1) return event.a.b' },
    })
  })

  it('without an expected file fails only when an event fails', async () => {
    expect(await run(doubling, { [input]: { n: 2 } })).toMatchObject({ status: 'passed', unpinned: ['output'] })
    rmSync(join(root, input))
    expect(await run(doubling, { [input]: { n: 1 } })).toMatchObject({
      status: 'failed',
      problems: [{ kind: 'event' }],
    })
  })

  it('names the line of a library, and of code that cannot be loaded', async () => {
    const library = 'export function f(event) {\n  return event.x.y\n}'
    const using = "import { f } from 'my-lib'\nexport const transformEvent = (event) => f(event)"
    const inLibrary = await run(using, { 'libraries/my-lib.js': library, [input]: {} })
    const place = { file: join(root, 'libraries/my-lib.js'), line: 2, text: '  return event.x.y' }
    expect(inLibrary.problems[0]).toMatchObject({ place })
    const broken = await run('export function transformEvent(event) {\n  return {{\n}', {})
    expect(broken.problems[0]).toMatchObject({ kind: 'load', place: { line: 2, text: '  return {{' } })
  })

  it('runs under its conditions, those of all cases first', async () => {
    const code = `export function transformEvent(event, metadata) {
  return { now: new Date().toISOString(), random: Math.random(), key: getCredential('k'), source: metadata(event).sourceName }
}`
    const files = {
      [input]: {},
      'tests/t/conditions.json': { now: '2026-01-01T00:00:00.000Z', seed: 1, metadata: { sourceName: 'web' } },
      'tests/t/conditions/a.json': { credentials: { k: 'secret' }, now: 0 },
    }
    await run(code, files, { update: true })
    expect(read(output)).toEqual([
      { now: '1970-01-01T00:00:00.000Z', random: expect.any(Number), key: 'secret', source: 'web' },
    ])
    expect((await run(code, files)).status).toBe('passed')
  })

  it('uses the sample events if it has none', async () => {
    expect(await run('export const transformEvent = (event) => event', {})).toMatchObject({
      status: 'passed',
      events: 6,
    })
  })

  it('passes 200 events at a time, as in production', async () => {
    const many = Array.from({ length: 401 }, (_, n) => ({ n }))
    const counting = 'export const transformBatch = (events) => [{ n: events.length }]'
    const files = { [input]: many, [output]: [{ n: 200 }, { n: 200 }, { n: 1 }] }
    expect(paths(await run(counting, files))).toEqual([])
  })

  const mistakes: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
    ['an input that is not JSON', { [input]: '[\n{,' }, /^tests\/t\/input\/a\.json:2:2: not JSON/],
    ['an input of no events', { [input]: [1] }, /^tests\/t\/input\/a\.json: \[0\] is 1; events are objects/],
    ['an output of no list', { [input]: {}, [output]: 'null' }, /^tests\/t\/output\/a\.json: must be a list/],
    [
      'an unknown placeholder',
      { [input]: {}, [output]: { a: [{ $any: 'thing' }] } },
      /\{"\$any":"thing"\} is no placeholder/,
    ],
    [
      'unknown conditions',
      { [input]: {}, 'tests/t/conditions.json': { time: 1 } },
      /conditions\.json: time is unknown/,
    ],
    ['a time that is none', { [input]: {}, 'tests/t/conditions.json': { now: 'noon' } }, /now is "noon"; give a time/],
  ]
  for (const [name, files, message] of mistakes)
    it(`fails for ${name}, and says where`, async () => {
      const problem = { kind: 'file', message: expect.stringMatching(message) }
      expect(await run(doubling, files)).toMatchObject({ status: 'failed', problems: [problem] })
    })
})

describe('an update', () => {
  it('writes missing or different results, and keeps matching placeholders, the order of keys and a single object', async () => {
    const code = 'export const transformEvent = (event) => ({ ...event, id: "6ba7b810-9dad-11d1-80b4-00c04fd430c8" })'
    const before = { id: { $any: 'uuid' }, b: { $any: 'string' }, a: 0 }
    const report = await run(code, { [input]: { a: 1, b: 2, c: 3 }, [output]: before }, { update: true })
    expect(report).toMatchObject({ status: 'updated', written: [join(root, output)] })
    expect(readFileSync(join(root, output), 'utf8')).toBe(
      `${JSON.stringify({ id: { $any: 'uuid' }, b: 2, a: 1, c: 3 }, null, 2)}\n`,
    )
    expect(await run(code, {}, { update: true })).toMatchObject({ status: 'passed', written: [] })
  })

  it('writes errors by their first line and reports them', async () => {
    const report = await run(doubling, { [input]: { n: 1 } }, { update: true })
    expect([report.status, paths(report), read(output)]).toEqual(['updated', ['event'], [{ error: firstLine }]])
  })

  it('writes nothing through a link out of the project', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'sluice-outside-'))
    try {
      write({ [input]: { n: 2 } })
      symlinkSync(outside, join(root, 'tests/t/output'))
      const problem = {
        message: expect.stringMatching(/output\/a\.json: leads out of the project; nothing was written/),
      }
      expect(await run(doubling, {}, { update: true })).toMatchObject({ status: 'failed', problems: [problem] })
      expect(readdirSync(outside)).toEqual([])
    } finally {
      rmSync(outside, { recursive: true })
    }
  })
})

describe('a case that continues to a destination', () => {
  const webhook = (settings: object): OfflineDestination => {
    const definition = builtInDestinations.find(({ type }) => type === 'WEBHOOK')
    if (definition === undefined) throw new Error('no webhook')
    const parsed = parseSettings(definition, { webhookUrl: 'https://hook.test/in', ...settings })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
    return { definition, settings: parsed.settings }
  }
  const identity = 'export const transformEvent = (event) => event'
  const event = { type: 'track', event: 'A', userId: 'u' }
  const requests = 'tests/t/webhook/a.json'

  it('compares the requests, without empty members and secrets', async () => {
    const destination = webhook({ headers: [{ from: 'authorization', to: 'very-secret' }] })
    const update = { destination, update: true }
    expect((await run(identity, { [input]: event }, update)).written).toEqual([
      join(root, output),
      join(root, requests),
    ])
    expect(read(requests)).toEqual([
      {
        method: 'POST',
        endpoint: 'https://hook.test/in',
        headers: expect.not.objectContaining({ authorization: 'very-secret' }),
        body: { JSON: event },
      },
    ])
    expect(await run(identity, {}, { destination })).toMatchObject({ status: 'passed', unpinned: [] })
  })

  it('shows no secret of an expectation file either', async () => {
    const expected = {
      method: 'PUT',
      endpoint: 'https://hook.test/in',
      headers: { authorization: 'Bearer old-secret' },
    }
    const report = await run(identity, { [input]: event, [requests]: expected }, { destination: webhook({}) })
    expect(paths(report)).toEqual([expect.arrayContaining(['[0].method'])])
    expect(JSON.stringify(report)).not.toContain('old-secret')
  })

  it('accepts a complete request as well', async () => {
    await run(identity, { [input]: event }, { destination: webhook({}), update: true })
    const [request] = read(requests) as { headers: object; body: object }[]
    const body = { JSON: event, JSON_ARRAY: {}, XML: {}, FORM: {} }
    const full = { ...request, version: '1', type: 'REST', params: {}, files: {}, userId: '', body }
    expect(paths(await run(identity, { [requests]: [full] }, { destination: webhook({}) }))).toEqual([])
  })

  it('reports an event that the mapping refuses as failed at the destination', async () => {
    const ga4 = builtInDestinations.find(({ type }) => type === 'GA4')
    const parsed = ga4 && parseSettings(ga4, { apiSecret: 'very-secret', typesOfClient: 'gtag', measurementId: 'G-1' })
    if (ga4 === undefined || !parsed?.ok) throw new Error(JSON.stringify(parsed))
    const destination = { definition: ga4, settings: parsed.settings }
    const report = await run(identity, { [input]: { ...event, type: 'track', event: '' } }, { destination })
    expect(report).toMatchObject({ status: 'failed', problems: [{ kind: 'event', index: 0, stage: 'destination' }] })
  })
})

describe('libraries', () => {
  it('are tested by loading them, even if nothing imports them', async () => {
    write({
      'transformations/t.ts': 'export const transformEvent = (event) => event',
      'libraries/good.ts': 'export const a: number = 1',
      'libraries/bad.js': 'export const a = (\n  1]',
    })
    const project = await loadProject(root)
    if (project === undefined) throw new Error('no project was found')
    const reports = await checkLibraries(project, runner)
    expect(reports.map(({ name, error }) => [name, error?.place?.line])).toEqual([
      ['bad', 2],
      ['good', undefined],
    ])
  })
})

describe('a case of code that fetches', () => {
  const asking = `export async function transformEvent(event) {
    const { body } = await fetchV2('https://api.test/' + event.userId)
    return { ...event, plan: body.plan }
  }`
  const events = [{ userId: 'u1' }, { userId: 'u2' }]
  const files = { [input]: events, [output]: events.map((event) => ({ ...event, plan: 'pro' })) }
  const answer = (user: string, plan: string) => ({ url: `https://api.test/${user}`, reply: { plan } })

  it('gets the responses of its own file, and the others of the shared file', async () => {
    const report = await run(asking, {
      ...files,
      'tests/t/fetch/a.json': [answer('u1', 'pro')],
      'tests/t/fetch.json': [answer('u1', 'never used'), answer('u2', 'pro')],
    })
    expect(report).toMatchObject({ status: 'passed', problems: [] })
  })

  it('fails when a request has no response, even if the code handles that, and keeps the expected output', async () => {
    const report = await run(
      asking.replace('event.userId)', "event.userId).catch(() => ({ body: { plan: 'unknown' } }))"),
      { ...files, 'tests/t/fetch/a.json': [answer('u1', 'pro')] },
      { update: true },
    )
    expect(report.status).toBe('failed')
    expect(report.problems).toContainEqual({
      kind: 'fetch',
      message:
        'no answer is recorded for GET https://api.test/u2 in tests/t/fetch/a.json; run sluice test --record (or set SLUICE_RECORD=1) to ask the network once and add it',
    })
    expect(read(output)).toEqual(files[output])
  })

  it('without recordings fails with the file to record', async () => {
    const { problems } = await run(asking, files)
    expect(problems).toContainEqual({
      kind: 'fetch',
      message:
        'user code fetches, and this case has no recorded response; sluice test --record asks the network once and stores the response in tests/t/fetch/a.json',
    })
  })

  it('records missing responses, also for the sample events of a transformation without cases', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"plan":"pro"}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const network = { allow: ['127.0.0.1'], allowAddresses: ['127.0.0.0/8'] }
    const local = asking.replace('https://api.test/', url)
    try {
      const recorded = await run(local, {}, { record: true, network })
      expect(recorded).toMatchObject({ name: 'sample events', status: 'passed' })
      expect(read('tests/t/fetch.json')).toContainEqual(
        expect.objectContaining({ method: 'GET', reply: { plan: 'pro' } }),
      )
      const before = asked
      expect(await run(local, {})).toMatchObject({ status: 'passed' })
      expect(asked).toBe(before)
    } finally {
      server.close()
    }
  })

  it('is refused when its recordings are not a list of requests, or outside the project', async () => {
    const wrong = await run(asking, { ...files, 'tests/t/fetch/a.json': { url: 'https://api.test/u1' } })
    expect(wrong.problems).toEqual([
      { kind: 'file', message: 'tests/t/fetch/a.json is not a list of recorded requests' },
    ])
    rmSync(join(root, 'tests/t/fetch/a.json'))
    symlinkSync('/etc/hosts', join(root, 'tests/t/fetch/a.json'))
    const outside = await run(asking, files)
    expect(outside.problems).toEqual([{ kind: 'file', message: expect.stringContaining('leads out of the project') }])
  })
})

describe('a case in YAML', () => {
  const yaml = {
    'tests/t/input/a.yaml': '- type: track\n  n: 2\n',
    'tests/t/conditions/a.yml': 'metadata: { sourceId: web }\n',
  }

  it('is read like one in JSON, with expected output and conditions in either', async () => {
    const code = `export const transformEvent = (event, metadata) => ({ ...event, from: metadata(event).sourceId })`
    const asYaml = await run(code, { ...yaml, 'tests/t/output/a.yaml': '- { type: track, n: 2, from: web }\n' })
    expect([asYaml.name, asYaml.status, asYaml.unpinned]).toEqual(['a', 'passed', []])
    rmSync(join(root, 'tests/t/output/a.yaml'))
    expect(await run(code, { [output]: [{ type: 'track', n: 3, from: 'web' }] })).toMatchObject({ status: 'failed' })
  })

  it('keeps its form when the expected output is written', async () => {
    const code = 'export const transformEvent = (event) => event'
    const report = await run(code, { ...yaml, 'tests/t/output/a.yaml': '- { type: track }\n' }, { update: true })
    expect(report).toMatchObject({ status: 'updated', written: [join(root, 'tests/t/output/a.yaml')] })
    expect(readFileSync(join(root, 'tests/t/output/a.yaml'), 'utf8')).toBe('- type: track\n  n: 2\n')
  })

  it('is refused with the place of a mistake', async () => {
    const report = await run(doubling, { 'tests/t/input/a.yaml': 'type: track\nn: [1\n' }).catch(
      (error: Error) => error,
    )
    expect(JSON.stringify(report instanceof Error ? report.message : report)).toMatch(
      /tests\/t\/input\/a\.yaml:3:1: not YAML/,
    )
  })
})
