import { printable } from '@sluice/core/printable'
import { type CaseProblem, type CaseReport, type CodePlace, type DiffLine, shownPath } from '@sluice/testing'
import colors from 'picocolors'
import { countsOf, type TestOutcome } from './test-outcome.ts'

type Colors = ReturnType<typeof colors.createColors>

const plain = colors.createColors(false)

/** Formats a test run as text. */
export interface TextReport {
  /** Returns the line of a finished case, below the name of its transformation. */
  caseLine(report: CaseReport): string
  /** Returns the failures and the totals. */
  end(outcome: TestOutcome): string
  /** Repeats the name of the transformation before the next case. */
  again(): void
}

/** Maximum number of log lines shown; a loop can log thousands. */
const logLinesMax = 20
/** Maximum number of lines shown of an error with its stack. */
const messageLinesMax = 8

/** @param cwd what paths are shown relative to. */
export function createTextReport(cwd: string, c: Colors): TextReport {
  let header = ''
  const path = (file: string): string => clean(shownPath(cwd, file))
  return {
    caseLine(report) {
      const { transformation, file } = report
      const own = `${c.bold(clean(transformation))}  ${c.dim(path(file))}`
      const line = caseLine(report, c)
      const text = own === header ? line : `${header === '' ? '' : '\n'}${own}\n${line}`
      header = own
      return text
    },
    again() {
      header = ''
    },
    end(outcome) {
      const lines: string[] = ['']
      for (const report of outcome.cases) lines.push(...detailsOf(report, path, c))
      for (const { name, file, error } of outcome.libraries)
        if (error)
          lines.push(
            c.red(`✗ library ${clean(name)}`) + c.dim(`  ${path(file)}`),
            ...errorLines(error.message, error.place, path, c),
            '',
          )
      for (const { file, reason } of outcome.notRun)
        lines.push(`${c.yellow('not run')}  ${path(file)}: ${clean(reason)}`)
      if (outcome.notRun.length > 0) lines.push('')
      return [...lines, summary(outcome, c)].join('\n')
    },
  }
}

/** Why a case failed, without colours. */
export function problemText({ problems }: CaseReport, cwd: string): string {
  const path = (file: string): string => clean(shownPath(cwd, file))
  return problems.flatMap((problem) => problemLines(problem, path, plain)).join('\n')
}

function caseLine({ status, name, events, timeMs, unpinned }: CaseReport, c: Colors): string {
  const mark = { passed: c.green('✓'), failed: c.red('✗'), updated: c.yellow('↻') }[status]
  const notes = [count(events, 'event'), `${Math.round(timeMs)} ms`]
  if (unpinned.length > 0) notes.push(`no ${unpinned.join(', no ')} expected`)
  return `  ${mark} ${clean(name)}  ${c.dim(notes.join(', '))}`
}

function detailsOf(
  { transformation, name, status, problems, log, written }: CaseReport,
  path: (file: string) => string,
  c: Colors,
): readonly string[] {
  if (problems.length === 0 && written.length === 0) return []
  const title = `${clean(transformation)} / ${clean(name)}`
  const lines = [status === 'failed' ? c.red(`✗ ${title}`) : c.yellow(`↻ ${title}`)]
  for (const file of written) lines.push(`  wrote ${path(file)}`)
  for (const problem of problems) lines.push(...problemLines(problem, path, c))
  if (status === 'failed' && log.length > 0) {
    lines.push('  log')
    for (const line of log.slice(0, logLinesMax).flatMap((each) => each.split('\n'))) lines.push(`    ${clean(line)}`)
    if (log.length > logLinesMax) lines.push(c.dim(`    … and ${log.length - logLinesMax} more`))
  }
  return [...lines, '']
}

function problemLines(problem: CaseProblem, path: (file: string) => string, c: Colors): readonly string[] {
  if (problem.kind === 'file' || problem.kind === 'fetch') return [`    ${c.red(clean(problem.message))}`]
  if (problem.kind === 'load') return ['  cannot be loaded', ...errorLines(problem.message, problem.place, path, c)]
  if (problem.kind === 'event')
    return [
      `  event [${problem.index}] failed ${problem.stage === 'destination' ? 'at' : 'in'} the ${problem.stage}`,
      ...errorLines(problem.message, problem.place, path, c),
    ]
  const { kind, file, diff } = problem
  const differs = kind === 'output' ? 'output is' : 'requests are'
  const lines = [`  ${differs} not what ${path(file)} expects  ${c.red('- expected')} ${c.green('+ actual')}`]
  for (const hunk of diff.hunks) {
    lines.push(c.cyan(`  @@ ${clean(hunk.path)} @@`))
    for (const line of hunk.lines) lines.push(diffLine(line, c))
  }
  if (diff.linesLeftOut > 0) lines.push(c.dim(`    … and ${diff.linesLeftOut} more lines that differ`))
  return lines
}

function diffLine({ mark, text }: DiffLine, c: Colors): string {
  const line = `    ${mark} ${clean(text)}`
  if (mark === ' ') return c.dim(line)
  return mark === '-' ? c.red(line) : c.green(line)
}

function errorLines(
  message: string,
  place: CodePlace | undefined,
  path: (file: string) => string,
  c: Colors,
): readonly string[] {
  const all = message.split('\n')
  const lines = all.slice(0, messageLinesMax).map((line) => `    ${c.red(clean(line))}`)
  if (all.length > messageLinesMax) lines.push(c.dim(`    … and ${all.length - messageLinesMax} more lines`))
  if (place === undefined) return lines
  const number = String(place.line)
  return [
    ...lines,
    `    ${path(place.file)}:${place.line}:${place.column}`,
    `    ${c.dim(`${number} |`)} ${clean(place.text)}`,
    `    ${' '.repeat(number.length)} ${c.dim('|')} ${' '.repeat(place.caret)}${c.red('^')}`,
  ]
}

function summary(outcome: TestOutcome, c: Colors): string {
  const { passed, failed, updated, skipped, brokenLibraries, notRun } = countsOf(outcome)
  const parts = [
    ...(failed > 0 ? [c.red(`${failed} failed`)] : []),
    ...(brokenLibraries > 0 ? [c.red(count(brokenLibraries, 'broken library', 'broken libraries'))] : []),
    ...(notRun > 0 ? [c.yellow(`${notRun} not run`)] : []),
    ...(updated > 0 ? [c.yellow(`${updated} updated`)] : []),
    ...(skipped > 0 ? [c.dim(`${skipped} skipped`)] : []),
    c.green(`${passed} passed`),
  ]
  const transformations = new Set(outcome.cases.map(({ file, transformation }) => `${file} ${transformation}`)).size
  // An error outside of tests belongs to no file.
  const files = new Set(outcome.tests.flatMap(({ file }) => (file === '' ? [] : [file]))).size
  const ran = [count(transformations, 'transformation'), ...(files > 0 ? [count(files, 'test file')] : [])]
  const what = `${ran.join(', ')}, ${Math.round(outcome.timeMs)} ms`
  const differs = outcome.cases.some(({ problems }) =>
    problems.some(({ kind }) => kind === 'output' || kind === 'requests'),
  )
  const hint = differs ? c.dim('\nIf the actual output is right, accept it with --update.') : ''
  return `${parts.join(', ')}  ${c.dim(what)}${hint}`
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

function clean(text: string): string {
  return printable(text.replaceAll('\t', ' '))
}
