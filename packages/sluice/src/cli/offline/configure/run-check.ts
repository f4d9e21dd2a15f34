import { problemText } from '@sluice/configuration/file'
import { printable } from '@sluice/core/printable'
import { printLine } from '../../terminal/print-line.ts'
import { checkWorkspace, type Note } from './check-workspace.ts'

export interface RunCheckFlags {
  readonly json?: true
  readonly lenient?: true
  readonly allowAddress: readonly string[]
}

/** Runs `sluice check`. Exit status 2 when something is wrong. */
export async function runCheck(path: string, { json, lenient, allowAddress }: RunCheckFlags): Promise<void> {
  const { problems, notes, unset, workspaces } = await checkWorkspace(path, { lenient, allowAddresses: allowAddress })
  if (problems.length > 0) process.exitCode = 2
  if (json) {
    const flat = problems.map(({ place, ...problem }) => ({ ...problem, ...place }))
    return printLine(JSON.stringify({ ok: problems.length === 0, problems: flat, notes, unset }, null, 2))
  }
  for (const problem of problems) printLine(printable(problemText(problem)))
  for (const note of notes) process.stderr.write(`${printable(noteText(note))}\n`)
  if (unset.length > 0)
    process.stderr.write(`note: not set here, so their values were not checked: ${unset.join(', ')}\n`)
  if (problems.length > 0) return printLine(`\n${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`)
  const counts = workspaces.map(
    ({ id, sources, destinations, connections }) =>
      `workspace ${printable(id)}: ${counted(sources.length, 'source')}, ${counted(destinations.length, 'destination')}, ${counted(connections.length, 'connection')}`,
  )
  printLine([...counts, 'no problems'].join('\n'))
}

function noteText({ at, path, text }: Note): string {
  return `note: ${[at, path].filter((part) => part !== '').join(' ')}: ${text}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
