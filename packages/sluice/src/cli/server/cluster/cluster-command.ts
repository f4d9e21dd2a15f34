import { userInfo } from 'node:os'
import type { ClusterOperator, ListedNode } from '@sluice/postgres'
import { Command } from 'commander'
import { CliError } from '../../cli-error.ts'
import { storeAddress, storeOption } from '../../flags/store-address.ts'
import { wholeNumber } from '../../flags/whole-number.ts'
import { printLine } from '../../terminal/print-line.ts'
import { lossesText } from './losses-text.ts'
import { statusText } from './status-text.ts'

interface ClusterFlags {
  readonly store?: string
  readonly json?: true
}

interface ConfirmFlags extends ClusterFlags {
  readonly by: string
}

interface DrainFlags extends ClusterFlags {
  readonly undo?: true
  readonly wait?: true
  readonly timeout: number
}

/** How often a caller that waits for a process to give up its lanes looks. */
const lookMs = 100

/** `sluice cluster`: looks at the processes that share a store. */
export function clusterCommand(): Command {
  const status = withStore('status')
    .description('print the processes, their lanes and changes, and what is left to be delivered; takes a few seconds')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExamples:\n  sluice cluster status --store postgres://sluice@db/sluice')
    .action((flags: ClusterFlags) =>
      withOperator(flags, async (operator) => {
        const found = await operator.status()
        printLine(flags.json ? JSON.stringify(found, null, 2) : statusText(found))
      }),
    )
  const check = withStore('check')
    .description('audit what must always be true: lanes, cursors, changes, and that no event is lost or counted twice')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Reads every event that is still to be delivered. The exit status is 1 when something is wrong.

Examples:
  sluice cluster check --store postgres://sluice@db/sluice`,
    )
    .action((flags: ClusterFlags) =>
      withOperator(flags, async (operator) => {
        const problems = await operator.check()
        if (flags.json) printLine(JSON.stringify({ problems }, null, 2))
        else for (const line of problems.length > 0 ? problems : ['nothing is wrong']) printLine(line)
        if (problems.length > 0) process.exitCode = 1
      }),
    )
  const drain = withStore('drain')
    .description('ask a process to hold no lanes; it still receives events')
    .argument('<id>', 'id of the process, or how it begins: see sluice cluster status')
    .option('--undo', 'let it take part again')
    .option('--wait', 'end when it holds no lanes')
    .option('--timeout <seconds>', 'with --wait: fail after this time', wholeNumber, 60)
    .addHelpText(
      'after',
      `
Its lanes go to the others. Where all processes are asked, they hold lanes as before: somebody has to.

Examples:
  sluice cluster drain 5f0c --wait --store postgres://sluice@db/sluice
  sluice cluster drain 5f0c --undo --store postgres://sluice@db/sluice`,
    )
    .action((id: string, flags: DrainFlags) => withOperator(flags, (operator) => drainNode(operator, id, flags)))
  const confirmLoss = withStore('confirm-loss')
    .description(
      'confirm that you know what the database lacked after a fail-over; processes are not degraded any more',
    )
    .option('--by <name>', 'who confirms it, for the audit log', userInfo().username)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
A standby that lacked acknowledged transactions has taken the place of the database, or an earlier state of it came back.
What is left is delivered already. sluice cluster status shows what is lost. The audit log of every workspace says who
has confirmed it, and when.

Examples:
  sluice cluster confirm-loss --store postgres://sluice@db/sluice
  sluice cluster confirm-loss --by anna --json --store postgres://sluice@db/sluice`,
    )
    .action((flags: ConfirmFlags) =>
      withOperator(flags, async (operator) => {
        const confirmed = await operator.confirmLosses(flags.by)
        if (flags.json) printLine(JSON.stringify({ confirmed }, null, 2))
        else printLine(confirmed.length === 0 ? 'There is no loss to confirm.' : lossesText(confirmed))
      }),
    )
  return new Command('cluster')
    .description('inspect the processes that share a store, take one out, or confirm a loss')
    .addCommand(status)
    .addCommand(check)
    .addCommand(drain)
    .addCommand(confirmLoss)
    .addHelpText(
      'after',
      `
Examples:
  sluice cluster status --store postgres://sluice@db/sluice
  sluice cluster check --store postgres://sluice@db/sluice
  sluice cluster drain 5f0c --wait --store postgres://sluice@db/sluice
  sluice cluster confirm-loss --store postgres://sluice@db/sluice`,
    )
}

function withStore(name: string): Command {
  return new Command(name).addOption(storeOption('database of the cluster'))
}

async function withOperator(flags: ClusterFlags, work: (operator: ClusterOperator) => Promise<void>): Promise<void> {
  // Loaded when needed, so that the other commands start much faster.
  const [{ openClusterOperator }, { asCliError }] = await Promise.all([
    import('@sluice/postgres'),
    import('../../as-cli-error.ts'),
  ])
  try {
    const operator = await openClusterOperator(storeAddress(flags.store))
    try {
      await work(operator)
    } finally {
      await operator.close()
    }
  } catch (error) {
    throw asCliError(error)
  }
}

async function drainNode(operator: ClusterOperator, id: string, flags: DrainFlags): Promise<void> {
  const nodes = await operator.nodes()
  const node = chosen(nodes, id)
  const isDraining = flags.undo !== true
  const others = nodes.filter((each) => each.id !== node.id && each.takesLanes)
  if (isDraining && others.length === 0)
    throw new CliError(`${node.id} is the only process that takes lanes: start another one first`)
  if (!(await operator.drain(node.id, isDraining))) throw new CliError(`${node.id} has ended meanwhile`)
  if (!isDraining) return printLine(`${node.id} takes part again`)
  if (!flags.wait) return printLine(`${node.id} gives up its lanes`)
  const deadline = performance.now() + flags.timeout * 1_000
  for (;;) {
    const lanes = await operator.lanesOf(node.id)
    if (lanes === 0) return printLine(`${node.id} holds no lanes`)
    if (performance.now() > deadline)
      throw new CliError(
        `${node.id} still holds ${lanes} lanes after ${flags.timeout} s: look at sluice cluster status`,
      )
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
}

function chosen(nodes: readonly ListedNode[], id: string): ListedNode {
  const [first, second] = nodes.filter((node) => node.id.startsWith(id))
  if (first === undefined)
    throw new CliError(`no process has an id that begins with "${id}": see sluice cluster status`)
  if (second !== undefined)
    throw new CliError(`several processes have ids that begin with "${id}", such as ${first.id} and ${second.id}`)
  return first
}
