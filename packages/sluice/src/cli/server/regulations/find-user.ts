import { text } from 'node:stream/consumers'
import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import type { PersonFound } from '@sluice/pipeline'
import { CliError } from '../../cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'

/** Runs `sluice users find`. */
export async function findUser(given: string | undefined, flags: ServerFlags): Promise<void> {
  const identifier = (given ?? (await text(process.stdin))).trim()
  if (identifier === '') throw new CliError('no identifier was given: pass one as argument, or on standard input')
  const found = await askServer<PersonFound>(flags, 'POST', '/v2/users/find', { identifier })
  if (found.userKeys.length === 0) process.exitCode = 1
  if (flags.json) return printLine(JSON.stringify(found, null, 2))
  if (found.userKeys.length === 0) return printLine(['No user was found.', ...found.notes].join('\n'))
  printLine(table([['by', 'id'], ...found.userKeys.map(({ kind, id }) => [kind, printable(id)])], 2))
  const counts = [
    ...found.held.map(({ where, count, note }) => [where, String(count), note ?? '']),
    ...found.destinations.map(({ destinationId, events }) => [
      `destination ${printable(destinationId)}`,
      String(events),
      '',
    ]),
  ]
  printLine(`\n${table([['held', 'records', ''], ...counts], 1)}`)
  for (const note of found.notes) printLine(note)
}
