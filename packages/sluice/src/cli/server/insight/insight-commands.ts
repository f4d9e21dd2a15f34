import { Command, Option } from 'commander'
import { type ServerFlags, withServerFlags } from '../ask-server.ts'
import type { WhyFlags } from './show-why.ts'

const load = () => import('./show-insight.ts')

/** `sluice stats`: where the events of a running server went. */
export function statsCommand(): Command {
  return withServerFlags(new Command('stats'))
    .description('show where the events of a workspace went, by source and destination, with reasons')
    .addOption(
      new Option('--range <range>', 'only what was counted since then, with delays').choices([
        '1h',
        '24h',
        '7d',
        '90d',
      ]),
    )
    .addHelpText(
      'after',
      `
Needs a token with the scope operate.

Examples:
  sluice stats
  sluice stats --range 24h
  sluice stats --json`,
    )
    .action(async ({ range, ...flags }: ServerFlags & { readonly range?: string }) =>
      range === undefined
        ? (await load()).showStats(flags)
        : (await import('./show-history.ts')).showHistory(range, flags),
    )
}

/** `sluice why`: why events did not reach a destination. */
export function whyCommand(): Command {
  return withServerFlags(new Command('why'))
    .requiredOption('--source <id>', 'source that sent the events')
    .option('--event <name>', 'only track events of this name')
    .option('--type <type>', 'only events of this type, such as page')
    .option('--day <day>', 'day of receipt in UTC, such as 2026-11-28; default today')
    .option('--destination <id>', 'only this destination')
    .description('show how many events of a source and day did not reach each destination, and why')
    .addHelpText(
      'after',
      `
Needs a token with the scope operate. Days are kept for 90 days.

Examples:
  sluice why --source web
  sluice why --source web --event "Order Completed" --day 2026-11-28
  sluice why --source web --event "Order Completed" --destination crm --json`,
    )
    .action(async (flags: WhyFlags) => (await import('./show-why.ts')).showWhy(flags))
}

/** `sluice trace`: what became of one event. */
export function traceCommand(): Command {
  return withServerFlags(new Command('trace'))
    .argument('<messageId>', 'message id of the event')
    .description('show what became of one event at each destination, stage by stage')
    .addHelpText(
      'after',
      `
Needs a token with the scope operate. The exit status is 1 when the event is not known.

Examples:
  sluice trace 0190f0a2-0000-7000-8000-000000000001`,
    )
    .action(async (messageId: string, flags: ServerFlags) => (await load()).showTrace(messageId, flags))
}

/** `sluice changes`: who changed what. */
export function changesCommand(): Command {
  return withServerFlags(new Command('changes'))
    .description('show who changed what in a workspace, newest first')
    .option('--since <time>', 'only changes at this time or later, as ISO 8601')
    .addHelpText(
      'after',
      `
Needs a token with the scope operate. Prints at most 1,000 changes.

Examples:
  sluice changes
  sluice changes --since 2026-01-01T00:00:00Z --json`,
    )
    .action(async (flags: ServerFlags & { readonly since?: string }) => (await load()).showChanges(flags))
}

/** `sluice users`: finds people by any identifier. */
export function usersCommand(): Command {
  const find = withServerFlags(new Command('find'))
    .argument('[identifier]', 'an id, e-mail address or phone number; without it, standard input is read')
    .description('find a person by any identifier, and count what is held')
    .addHelpText(
      'after',
      `
Needs a token with the scope read. An argument can be seen in the list of processes and stays in the history of the shell;
standard input does not. The exit status is 1 when no one is found; a suppressed person is not found either.

Examples:
  sluice users find < identifier.txt
  sluice users find user-42 --json`,
    )
    .action(async (identifier: string | undefined, flags: ServerFlags) =>
      (await import('../regulations/find-user.ts')).findUser(identifier, flags),
    )
  return new Command('users')
    .description('find users')
    .addCommand(find)
    .addHelpText(
      'after',
      `
Examples:
  sluice users find user-42`,
    )
}

/** `sluice health`: whether a server works normally. */
export function healthCommand(): Command {
  return withServerFlags(new Command('health'))
    .description('check whether a server works normally and takes events, and how its destinations do')
    .addHelpText(
      'after',
      `
Needs no token. With one of the scope operate, it lists the destinations, too: failing, slow, waiting, paused, works or idle.
The exit status is 0 when the server works normally, and 1 when it does not, or does not answer.

Examples:
  sluice health
  sluice health --url https://cdp.shop.example --json`,
    )
    .action(async (flags: ServerFlags) => (await load()).showHealth(flags))
}
