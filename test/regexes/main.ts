import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { boundedRegexes } from './bounded.ts'
import { type FoundRegex, regexesIn } from './regexes-in.ts'
import { startsLate } from './starts-late.ts'

const help = `node test/regexes/dist/main.js [--all] [--write]

Fails when a regular expression of packages/*/src or packages/*/guest may take longer than linear time and bounded.ts
does not say what bounds its input. Those in checked.json were found safe before; only others are analysed. Also fails
for expressions that Node 26 matches wrongly, see starts-late.ts.

  --all    analyse those in checked.json as well (over a minute)
  --write  keep what was found safe in checked.json`

const { values } = parseArgs({
  options: { all: { type: 'boolean' }, write: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
})
const here = import.meta.dirname
const packages = join(here, '../../../packages')
const checkedFile = join(here, '../checked.json')
/** Time for one expression. One that takes longer to analyse can be written more simply. */
const analysisMs = 20_000

interface Placed extends FoundRegex {
  /** Below `packages`. */
  readonly file: string
}

if (values.help) process.stdout.write(`${help}\n`)
else await check()

async function check(): Promise<void> {
  const found = sourceFiles().flatMap((path): readonly Placed[] => {
    const file = relative(packages, path).replaceAll('\\', '/')
    return regexesIn(path, readFileSync(path, 'utf8')).map((each) => ({ ...each, file }))
  })
  const isUsed = new Set<(typeof boundedRegexes)[number]>()
  const unbounded = found.filter(({ file, text }) => {
    const entry = boundedRegexes.find((each) => each.file === file && each.text === text)
    if (entry) isUsed.add(entry)
    return entry === undefined
  })
  const checked: readonly string[] = values.all ? [] : JSON.parse(readFileSync(checkedFile, 'utf8'))
  const safe = new Set(checked)
  const complaints = found.flatMap(({ file, line, text, pattern }) =>
    pattern && startsLate(pattern.source, pattern.flags)
      ? [`packages/${file}:${line} ${text} overlooks characters such as 😀 on Node 26; begin it with (?!)|`]
      : [],
  )
  for (const { file, line, text, pattern } of unbounded) {
    if (safe.has(text)) continue
    const trouble = pattern ? await troubleOf(pattern) : 'is built when the program runs'
    if (trouble === undefined) safe.add(text)
    else complaints.push(`packages/${file}:${line} ${text} ${trouble}`)
  }
  for (const { file, text } of boundedRegexes.filter((entry) => !isUsed.has(entry)))
    complaints.push(`test/regexes/bounded.ts lists ${text} of ${file}, which is not there any more; remove the entry`)
  const present = new Set(unbounded.map(({ text }) => text))
  const kept = [...safe].filter((text) => present.has(text)).sort()
  if (values.write) writeFileSync(checkedFile, `${JSON.stringify(kept, null, 2)}\n`)
  else if (kept.length > checked.length && !values.all)
    process.stdout.write(
      'Some regular expressions are new and safe; node test/regexes/dist/main.js --write keeps that.\n',
    )
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  if (complaints.length === 0) return
  process.stderr.write(
    'Make those that are slow linear, or bound their input and say by what in test/regexes/bounded.ts.\n',
  )
  process.exitCode = 1
}

/** Returns why an expression may not be linear; undefined when it is. */
async function troubleOf({ source, flags }: NonNullable<FoundRegex['pattern']>): Promise<string | undefined> {
  process.env['RECHECK_SYNC_BACKEND'] = 'pure' // the others need Java or a platform-specific binary
  const { checkSync } = await import('recheck')
  const result = checkSync(source, flags, { timeout: analysisMs })
  if (result.status === 'safe') return undefined
  if (result.status === 'unknown') return `cannot be analysed (${result.error.kind})`
  return `is ${result.complexity.summary}, for example for ${result.attack.pattern}`
}

function sourceFiles(): readonly string[] {
  return readdirSync(packages)
    .flatMap((name) => [join(packages, name, 'src'), join(packages, name, 'guest')])
    .filter((folder) => existsSync(folder)) // the package of documents has no sources, and only the sandbox has guests
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /(?<!\.test)\.[jt]s$/.test(file))
        .map((file) => join(folder, file)),
    )
}
