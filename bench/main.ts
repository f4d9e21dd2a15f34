import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import type { BenchResult } from './bench-kit.ts'
import { plotCurves } from './plot/plot-curves.ts'

const help = `pnpm bench [name …] [--only TEXT] [--json] [--compare FILE] [--plot FILE]

Runs bench/*.bench.ts, or those named, each in a fresh process. Times are per event in RT: the time V8 takes for
JSON.stringify(JSON.parse(text)) of one event, measured in the same process. Newer versions of Node need less, so the
same time is more RT there; compare figures of one version.

  --only TEXT     measure only cases with this text in their name, such as "light, batch 200"
  --users NUMBER  suppressed users in the largest case of the suppression bench (default 1000000)
  --entries NUMBER regulations in the ledger of the ledger bench (default 20000)
  --json          print the report as JSON, for --compare
  --compare FILE  show the change against a report made with --json
  --plot FILE     draw what the bench curves has measured as an SVG
  BENCH_TIME_MS   how long each case is measured (default 500)

isolated-vm is measured too where require finds it; NODE_PATH may say where.`

interface Report {
  readonly machine: string
  readonly node: string
  readonly commit: string
  readonly benches: Readonly<Record<string, BenchResult>>
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    users: { type: 'string', default: '1000000' },
    entries: { type: 'string', default: '20000' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean' },
    compare: { type: 'string' },
    plot: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

if (values.help) process.stdout.write(`${help}\n`)
else await main()

async function main(): Promise<void> {
  const folder = new URL('.', import.meta.url)
  const all = readdirSync(folder).flatMap((file) => /^(.+)\.bench\.js$/.exec(file)?.[1] ?? [])
  const names = positionals.length === 0 ? all : positionals
  const unknown = names.filter((name) => !all.includes(name))
  if (unknown.length > 0) {
    process.stderr.write(`there is no bench ${unknown.join(', ')}; there are: ${all.join(', ')}\n`)
    process.exitCode = 1
    return
  }
  if (values.plot !== undefined && !names.includes('curves')) {
    process.stderr.write(`--plot ${values.plot}: only the bench curves has something to draw; add its name\n`)
    process.exitCode = 1
    return
  }
  const earlier = values.compare === undefined ? undefined : readReport(values.compare)
  const benches: Record<string, BenchResult> = {}
  for (const name of names) {
    process.stderr.write(`measuring ${name} …\n`)
    benches[name] = await inFreshProcess(new URL(`${name}.bench.js`, folder))
  }
  const report: Report = { machine: machine(), node: process.version, commit: commit(), benches }
  if (values.plot !== undefined) plot(report, values.plot)
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : `${toText(report, earlier)}\n`)
}

function plot({ machine, node, commit, benches }: Report, file: string): void {
  const curves = Object.values(benches).flatMap((bench) => bench.curves ?? [])
  if (curves.length === 0) process.stderr.write(`--plot ${file}: nothing was measured, so nothing is drawn\n`)
  else writeFileSync(file, plotCurves(curves, `${machine} · Node ${node} · commit ${commit}`))
}

/** What comes before the report is left out: package managers print the command they run. */
function readReport(file: string): Report {
  try {
    const text = readFileSync(file, 'utf8')
    return JSON.parse(text.slice(text.search(/^\{/m))) as Report
  } catch (error) {
    process.stderr.write(
      `--compare ${file}: not a report made with --json (${error instanceof Error ? error.message : error})\n`,
    )
    process.exit(1)
  }
}

function inFreshProcess(script: URL): Promise<BenchResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      // isolated-vm needs the first on Node 20 and later; memory is measured after a collection.
      ['--no-node-snapshot', '--expose-gc', script.pathname],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, BENCH_ONLY: values.only, BENCH_USERS: values.users, BENCH_ENTRIES: values.entries },
      },
    )
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.on('close', (status) =>
      status === 0
        ? resolve(JSON.parse(output) as BenchResult)
        : reject(new Error(`${script.pathname} ended with ${status}`)),
    )
  })
}

function toText(report: Report, earlier: Report | undefined): string {
  const lines = [`${report.machine} · Node ${report.node} · commit ${report.commit}`]
  if (earlier && earlier.node !== report.node)
    lines.push(
      `the earlier report is of Node ${earlier.node}, where RT is another time; figures in RT cannot be compared`,
    )
  for (const [name, bench] of Object.entries(report.benches)) {
    lines.push('', `${name}: ${bench.question}`)
    lines.push(
      `corpus ${bench.corpus} · RT ${bench.rtMicroseconds.toFixed(1)} µs on Node ${report.node} · memory at most ${bench.peakMemoryMb.toFixed(0)} MB`,
      `${'RT/event'.padStart(9)} ${'events/s'.padStart(10)} ${'p50 ms'.padStart(9)} ${'p99 ms'.padStart(9)}${earlier ? '    before' : ''}`,
    )
    for (const each of bench.cases) {
      const before = earlier?.benches[name]?.cases.find((other) => other.name === each.name)
      const change = earlier ? (before ? `${before.rt.toFixed(2)} RT` : 'new').padStart(10) : ''
      const numbers = [each.rt.toFixed(2).padStart(9), Math.round(each.eventsPerSecond).toString().padStart(10)]
      const latency = [each.p50Ms.toFixed(2).padStart(9), each.p99Ms.toFixed(2).padStart(9)]
      lines.push(`${[...numbers, ...latency].join(' ')}${change}  ${each.name}`)
    }
    for (const { name: figure, value, unit, goal } of bench.figures) {
      const before = earlier?.benches[name]?.figures.find((other) => other.name === figure)
      const change = earlier ? (before ? `; before: ${rounded(before.value)}` : '; new') : ''
      lines.push(`${rounded(value).padStart(9)} ${unit}  ${figure} (goal: ${goal}${change})`)
    }
  }
  return lines.join('\n')
}

function rounded(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1)
}

function machine(): string {
  const [first, ...rest] = cpus()
  return `${rest.length + 1} × ${first?.model.trim() ?? 'unknown processor'}`
}

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}
