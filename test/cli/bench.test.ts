import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand, startCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { patience } from '../support/processes/patience.ts'
import { shop } from '../support/scenes/shop.ts'

/** A line of code, and an id, that would break out of the page if they were not escaped. */
const hostile = '</td></table><script>alert(1)</script>'
/** Backtracks two to the eighteenth times: some ten milliseconds. */
const slowText = `${'a'.repeat(18)}!`
const orders = `export function transformEvent(event: any): any {
  const note: string = '${hostile}'
  event.odd = /^(?:a+)+$/.test(event.properties.text) && note !== '${hostile}'
  return event
}`
const events = Array.from({ length: 20 }, (_, n) => ({
  type: 'track',
  event: 'Order',
  userId: 'u',
  messageId: n === 7 ? `<b>"7"</b>\u001b[31m` : `m${n}`,
  properties: { text: n === 7 ? slowText : 'b' },
}))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  mkdirSync(join(folder, 'transformations'))
  mkdirSync(join(folder, 'old'))
  const lines = [...events.map((event) => JSON.stringify(event)), '', '7', '{"cut']
  const files = {
    'transformations/orders.ts': orders,
    'old/orders.ts': "export const transformEvent = (event) => event.properties.text === 'b' ? event : null",
    'events.ndjson': lines.join('\n'),
    'none.ndjson': '[]\n',
    'refused.ndjson': '{"type":"nonsense"}\n',
    'workspace.json': JSON.stringify(
      shop('http://127.0.0.1:9/in', {
        destinations: [
          { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://127.0.0.1:9/in' } },
          { id: 'file', type: 'FILE', settings: { folder: join(folder, 'sent') } },
        ],
        connections: ['hook', 'file'].map((destination) => ({ source: 'web', destination })),
      }),
    ),
    'no-source.json': JSON.stringify(shop('http://127.0.0.1:9/in', { sources: [], connections: [] })),
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
})
afterAll(() => rmSync(folder, { recursive: true }))

const options = () => ({ cwd: folder, env: { NO_COLOR: '' } })
const bench = (...args: readonly string[]) => runHosted(['bench', ...args], options())
const ofOrders = ['transformations/orders.ts', '--events', 'events.ndjson']
const quick = ['--time', String(20 * patience()), '--batches', '10,1', '--isolation', 'batch', '--workers', '1']

/**
 * Reads XML. @returns the names of its tags, those that are not closed in order, and what is neither a tag nor text.
 */
function tagsOf(xml: string) {
  const open: string[] = []
  const names: string[] = []
  const tag = /<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*) ?(\/?)>/gi
  const text = xml.replaceAll(tag, (_, closing: string, name: string, __, empty: string) => {
    if (closing === '') names.push(name)
    if (closing === '/' && open.at(-1) === name) open.pop()
    else if (empty === '') open.push(closing + name)
    return ''
  })
  return { names, open, rest: text.match(/[<>]|&(?!(?:amp|lt|gt|quot|#39);)/g) ?? [] }
}

describe('sluice bench', () => {
  it('shows every combination, where the time is spent, the planted slow regex with its line, and what to set', async () => {
    const more = ['--compare', 'old/orders.ts', '--html', 'report.html']
    const { status, stdout, stderr } = await runCommand(['bench', ...ofOrders, ...quick, ...more], options())
    expect([status, stderr]).toEqual([0, expect.stringContaining('report written to report.html')])
    expect(stderr).toContain('2 lines of events.ndjson are skipped because they are not JSON objects\n')
    expect(stdout).toContain('orders: 20 events, 20 passed, 0 dropped, 0 failed\n')
    expect(stdout).toMatch(
      /^batch {2}isolation {2}workers +events\/s +half of runs +p50 +p99 +max +memory\n1 +batch +1 .*\n10 +batch +1 .*MiB/m,
    )
    expect(stdout).toMatch(/^where the time goes \(.*\): crossing in .* \(\d+ %\), user code .*, crossing out .*$/m)
    expect(stdout).toMatch(
      /^hottest lines:\n {2}transformations\/orders\.ts:3 .* per event {2}event\.odd = \/\^\(\?:a\+\)\+\$\/\.test/m,
    )
    expect(stdout).toMatch(/^→ batch 10?, isolation batch, 1 worker: [\d,]+ events\/s$/m)
    expect(stdout).toMatch(
      /^→ your p99 event takes .*, most of it in the regex on line 3 of transformations\/orders\.ts(?:: check with includes .*| \(.*)?$/m,
    )
    expect(stdout).toMatch(/^ {2}event 8 \(<b>"7"<\/b>.*\) .* ms$/m)
    // The report cannot always say which is faster when the machine has other work.
    expect(stdout).toMatch(
      /^(?:which of )?old\/orders\.ts .*orders.* times .*\nthey differ in 20 of 20 events: 1, 2, .*, …$/m,
    )
    // Neither colours nor the content of events may write control sequences to the terminal.
    expect(stdout).not.toContain('\x1b')
  })

  it('writes a page that opens offline, and shows code and ids of others as text', () => {
    const page = readFileSync(join(folder, 'report.html'), 'utf8')
    expect(page).not.toMatch(/https?:|<script|<link|<img|@import|url\(|\son\w+=/i)
    expect(page).toContain("content=\"default-src 'none'; style-src 'unsafe-inline'\"")
    expect(page).toContain('&lt;/td&gt;&lt;/table&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).toContain('&lt;b&gt;&quot;7&quot;&lt;/b&gt;')
    expect(page).toContain('they differ in 20 of 20 events: 1, 2, ')
    expect(page).not.toContain('\x1b')
    // Every plot and every table is well-formed.
    const parts = page.match(/<(svg|table)\b[\s\S]*?<\/\1>/g) ?? []
    for (const part of parts) expect(tagsOf(part)).toMatchObject({ open: [], rest: [] })
    expect(parts.filter((part) => part.startsWith('<svg'))).toHaveLength(4)
    // Every axis has a title, and the distribution marks the quantiles.
    for (const title of [
      'events per second',
      'place in the file',
      'number of events',
      'time of an event, logarithmic',
      'p99 ',
    ])
      expect(page).toContain(`>${title}`)
    const [bars, dots] = parts
    expect(tagsOf(bars ?? '').names.filter((name) => name === 'rect')).toHaveLength(2)
    expect(tagsOf(dots ?? '').names.filter((name) => name === 'circle')).toHaveLength(20)
  })

  it('prints the report as JSON', async () => {
    const { status, stdout, stderr } = await bench(...ofOrders, ...quick, '--json', '--in-process', '--fan-out', '5')
    expect([status, stderr]).toEqual([0, expect.stringContaining('100 %')])
    const report = JSON.parse(stdout)
    const number = expect.any(Number)
    const cell = {
      isolation: 'batch',
      workers: 1,
      eventsPerSecond: number,
      eventsPerSecondQuartiles: [number, number],
      p50Ms: number,
      p99Ms: number,
      maxMs: number,
    }
    const own = { memoryBytes: number, failedShare: 0 }
    const line = {
      module: 'transformations/orders.ts',
      line: 3,
      what: 'regex',
      isCounted: false,
      share: number,
      shareRange: [number, number],
      msPerEvent: number,
    }
    expect(report).toEqual({
      name: 'orders',
      events: 20,
      outcomes: { passed: 20, dropped: 0, failed: 0 },
      firstError: null,
      cells: [1, 10].map((batch) => ({ batch, ...cell, ...own })),
      skipped: [],
      recommended: expect.objectContaining(cell),
      eventTimes: {
        p50Ms: number,
        p99Ms: number,
        maxMs: number,
        all: expect.arrayContaining([{ index: 0, messageId: 'm0', timeMs: number }]),
        outliers: expect.arrayContaining([{ index: 7, messageId: events[7]?.messageId, timeMs: number }]),
      },
      shares: { crossingInMs: number, userCodeMs: number, crossingOutMs: number },
      limits: expect.arrayContaining([{ limit: 'events made of one', used: 1, allowed: 5, unit: 'events' }]),
      hotLines: expect.arrayContaining([{ ...line, source: orders.split('\n')[2]?.trim(), hits: number }]),
      slowLines: expect.arrayContaining([expect.objectContaining(line)]),
      advice: expect.arrayContaining([expect.stringMatching(/^batch 10?, isolation batch, 1 worker: /)]),
    })
  })

  it('measures the whole flow of a workspace without sending anything', async () => {
    const args = ['--workspace', 'workspace.json', '--events', 'events.ndjson', '--batches', '1,20', '--time', '20']
    const [{ status, stdout }, table] = await Promise.all([bench(...args, '--json'), bench(...args)])
    expect(status).toBe(0)
    const { workspace, events: count, cells, recommended } = JSON.parse(stdout)
    expect([workspace, count, cells.map(({ batch }: { batch: number }) => batch)]).toEqual([
      'workspace.json',
      20,
      [1, 20],
    ])
    expect(cells).toContainEqual(recommended)
    for (const { batch, source, eventsPerSecond, p50Ms, p99Ms, stages, destinations } of cells) {
      expect([source, eventsPerSecond > 0, p50Ms > 0, p50Ms <= p99Ms]).toEqual(['web', true, true, true])
      expect(stages.map(({ name }: { name: string }) => name)).toContain('hook: destination-transform')
      const all = { delivered: expect.any(Number), dropped: 0, failed: 0 }
      expect(destinations).toEqual([
        { id: 'hook', ...all },
        { id: 'file', ...all },
      ])
      expect(destinations[0].delivered % batch).toBe(0)
    }
    expect(existsSync(join(folder, 'sent'))).toBe(false)
    expect(table.stdout).toMatch(/^events a call +events\/s +p50 of a call +p99 +memory\n +1 /m)
    expect(table.stdout).toMatch(/^→ calls of (1|20): [\d,]+ events\/s from source web; nothing was sent$/m)
  })

  it('says what is wrong with its input', async () => {
    const given: readonly (readonly [readonly string[], string])[] = [
      [['transformations/orders.ts', '--events', 'nowhere.ndjson'], '--events: nowhere.ndjson cannot be read (ENOENT)'],
      [['transformations/orders.ts', '--events', 'none.ndjson'], '--events: none.ndjson contains no event'],
      [[...ofOrders, '--html', 'nowhere/report.html'], '--html: nowhere/report.html cannot be written (ENOENT)'],
      [['--events', 'events.ndjson'], 'give the file of a transformation, or --workspace FILE'],
      [[...ofOrders, '--workspace', 'workspace.json'], '--workspace measures a whole flow; leave out the code'],
      [
        ['--workspace', 'workspace.json', '--events', 'refused.ndjson'],
        'ingestion refuses every event of refused.ndjson',
      ],
      [['--workspace', 'no-source.json', '--events', 'events.ndjson'], 'no-source.json has no source that is enabled'],
    ]
    const badFlags: typeof given = [
      [[...ofOrders, '--batches', '1,10001'], 'whole numbers from 1 to 10000 separated by commas'],
      [[...ofOrders, '--batches', '5,0'], "option '--batches <sizes>' argument '5,0' is invalid"],
    ]
    const results = await Promise.all([
      ...given.map(([args]) => bench(...args)),
      ...badFlags.map(([args]) => runCommand(['bench', ...args], options())),
    ])
    const wanted = [...given, ...badFlags]
    expect(results.map(({ status }) => status)).toEqual(wanted.map(() => 1))
    expect(results.map(({ stderr }, index) => stderr.includes(wanted[index]?.[1] ?? '?') || stderr)).toEqual(
      wanted.map(() => true),
    )
  })

  it('ends at once when it is interrupted', async () => {
    // It would take longer than a test may.
    const running = startCommand(['bench', ...ofOrders, '--time', '500000'], options())
    await running.logged(/% · batch/)
    running.child.kill('SIGINT')
    const { stdout } = await running.ended
    expect([stdout, running.child.signalCode]).toEqual(['', 'SIGINT'])
  })
})
