import { Argument, Command } from 'commander'
import { listedOnServers, type ServerList } from '../flags/completed-values.ts'
import { askServer, type ServerFlags, withServerFlags } from './ask-server.ts'

/** Time for an answer, while someone waits for the completion of a word. */
const timeMs = 2_000
/** Shells expand the words that they complete, so that others could run commands. */
const plainWord = /^[\w.:@+-]+$/

/** `sluice complete-ids`: prints the ids of a list of the server. Completion scripts call it. */
export function completeIdsCommand(): Command {
  return withServerFlags(new Command('complete-ids'))
    .description('print ids for the completion of a shell; nothing when the server does not answer')
    .addArgument(new Argument('<list>', 'list of the server').choices(listedOnServers))
    .addHelpText('after', '\nExamples:\n  sluice complete-ids destinations')
    .action(async (list: ServerList, flags: ServerFlags) => {
      const words = await idsOf(list, { ...flags, timeMs }).catch(() => [])
      for (const word of words.filter((each) => plainWord.test(each))) process.stdout.write(`${word}\n`)
    })
}

async function idsOf(list: ServerList, flags: ServerFlags): Promise<readonly string[]> {
  const path = list === 'transformations' ? '/transformations' : `/v2/${list}`
  const answer = await askServer<Readonly<Record<string, readonly { readonly id: string; readonly name?: string }[]>>>(
    flags,
    'GET',
    path,
  )
  const records = answer[list] ?? []
  return records.map(({ id, name }) =>
    list === 'transformations' && name !== undefined && plainWord.test(name) ? name : id,
  )
}
