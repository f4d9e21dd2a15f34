import { printable } from '@sluice/core/printable'
import { Command } from 'commander'
import { CliError } from '../../cli-error.ts'
import { completeIds } from '../../flags/completed-values.ts'
import { wholeNumberOrZero } from '../../flags/whole-number.ts'
import { confirm } from '../../terminal/confirm.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags, withServerFlags } from '../ask-server.ts'

interface RotateFlags extends ServerFlags {
  readonly validForSeconds?: number
  readonly yes?: true
}

interface Answer {
  readonly source: {
    readonly id: string
    readonly writeKey: string
    readonly formerWriteKey?: { readonly validUntil: string }
  }
}

/** `sluice sources rotate`: gives a source another write key. */
export function rotateCommand(): Command {
  return withServerFlags(new Command('rotate'), 'one JSON object')
    .addArgument(completeIds('<id>', 'id of the source', 'sources'))
    .description('give a source another write key; the present one stays valid for a while')
    .option(
      '--valid-for-seconds <number>',
      'how long the present key stays valid, at most 2592000 (default: 86400, a day)',
      wholeNumberOrZero,
    )
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      '\nExamples:\n  sluice sources rotate web\n  sluice sources rotate web --valid-for-seconds 0 --yes',
    )
    .action(rotate)
}

async function rotate(id: string, flags: RotateFlags): Promise<void> {
  const { validForSeconds, yes, url, json } = flags
  if (!yes && !(await confirm(`Give source ${printable(id)} another write key at ${url}?`)))
    throw new CliError('nothing was changed')
  const body = validForSeconds === undefined ? {} : { validForSeconds }
  const path = `/v2/sources/${encodeURIComponent(id)}/rotate-write-key`
  const { source } = await askServer<Answer>(flags, 'POST', path, body)
  if (json) return printLine(JSON.stringify(source, null, 2))
  const { writeKey, formerWriteKey } = source
  const former = formerWriteKey ? `is valid until ${formerWriteKey.validUntil}` : 'is not valid any more'
  printLine(`source ${printable(source.id)} has the write key ${printable(writeKey)}; the former one ${former}`)
}
