import { readFile, writeFile } from 'node:fs/promises'
import type { TrackingPlan } from '@sluice/core'
import { inferPlan, kotlinTypes, swiftTypes, type TypedTarget, typescriptTypes } from '@sluice/schema'
import { CliError } from '../../cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'
import { codeDiff } from '../sync/code-diff.ts'
import { type LearnFlags, learnEvents } from './learn-events.ts'
import { readPlan } from './read-plan.ts'

export interface TypesFlags extends LearnFlags {
  readonly requiredFrom: number
  readonly minEvents: number
  readonly language: 'typescript' | 'kotlin' | 'swift'
  readonly target: TypedTarget
  readonly package?: string
  readonly out?: string
  readonly check?: true
}

/** Runs `sluice types`. With `--check`: exit status 1 when the file is out of date, 2 when that could not be found out. */
export async function runTypes(path: string | undefined, flags: TypesFlags): Promise<void> {
  const code = await codeOf(path, flags).catch((error: unknown) => {
    throw flags.check && error instanceof CliError ? new CliError(error.message, 2) : error
  })
  if (flags.check) return compare(code, flags)
  if (flags.out !== undefined) await write(flags.out, code)
  if (flags.json) printLine(JSON.stringify({ code }))
  else if (flags.out === undefined) process.stdout.write(code)
}

async function codeOf(path: string | undefined, flags: TypesFlags): Promise<string> {
  const { language, target, package: packageName, out, check } = flags
  if (check && out === undefined) throw new CliError('--check compares with a file: name it with --out')
  if (packageName !== undefined && !/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(packageName))
    throw new CliError(`--package ${packageName}: expected names with dots between them, such as shop.events`)
  const plan = path === undefined ? await inferred(flags) : await readPlan(path, flags.source)
  if (language === 'kotlin') return kotlinTypes(plan, packageName)
  return language === 'swift' ? swiftTypes(plan) : typescriptTypes(plan, target)
}

async function inferred(flags: TypesFlags): Promise<TrackingPlan> {
  const { requiredFrom, minEvents: eventsMin } = flags
  return inferPlan(await learnEvents(flags), { requiredFrom, eventsMin }).plan
}

async function compare(code: string, { out = '', json }: TypesFlags): Promise<void> {
  const before = await readFile(out, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new CliError(`--out: ${out} cannot be read (${error.code})`, 2)
  })
  const difference = codeDiff(before, code)
  if (difference !== '') process.exitCode = 1
  if (json) printLine(JSON.stringify({ code, isCurrent: difference === '' }))
  else printLine(difference === '' ? `${out} is up to date` : `${out} is out of date\n${difference}`)
}

async function write(file: string, code: string): Promise<void> {
  await writeFile(file, code).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`--out: ${file} cannot be written (${error.code})`)
  })
}
