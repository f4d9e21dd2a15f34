import { Command } from 'commander'
import { CliError } from '../../cli-error.ts'
import { withDestinationFlags } from '../../flags/destination-flags.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags, withServerFlags } from '../ask-server.ts'
import type { PlanFlags } from './plan-load.ts'
import {
  conflictsText,
  loadsText,
  loadText,
  type ReportedConflict,
  type ReportedLoad,
  type ReportedState,
  statesText,
} from './warehouse-text.ts'

/** `sluice warehouse`: loads of a running server, and what a file of events would change. */
export function warehouseCommand(): Command {
  const status = withServerFlags(new Command('status'))
    .description('show what waits for each warehouse, the last load, and why loads fail')
    .addHelpText('after', '\nExamples:\n  sluice warehouse status')
    .action(async (flags: ServerFlags) => {
      const { data } = await askServer<{ data: readonly ReportedState[] }>(flags, 'GET', '/v2/warehouses')
      printLine(flags.json ? JSON.stringify(data) : statesText(data))
    })
  const sync = withServerFlags(new Command('sync'))
    .argument('<id>', 'destination to load into')
    .description('load now what was accepted so far')
    .addHelpText('after', '\nExamples:\n  sluice warehouse sync warehouse')
    .action(async (id: string, flags: ServerFlags) => {
      const path = `/v2/warehouses/${encodeURIComponent(id)}`
      const { data: before } = await askServer<{ data: readonly ReportedLoad[] }>(flags, 'GET', `${path}/loads`)
      const state = await askServer<ReportedState>(flags, 'POST', `${path}/sync`)
      const isNew = state.lastLoad !== undefined && state.lastLoad.startedAt !== before[0]?.startedAt
      if (flags.json) printLine(JSON.stringify(state))
      else printLine(isNew && state.lastLoad ? loadText(state.lastLoad) : 'Nothing to load.')
      if (state.lastLoad?.error !== undefined) throw new CliError(`the last load into ${id} failed`)
    })
  const history = withServerFlags(new Command('history'))
    .argument('<id>', 'destination to show the loads of')
    .description('list the last 100 loads, with their tables')
    .addHelpText('after', '\nExamples:\n  sluice warehouse history warehouse --json')
    .action(async (id: string, flags: ServerFlags) => {
      const path = `/v2/warehouses/${encodeURIComponent(id)}/loads`
      const { data } = await askServer<{ data: readonly ReportedLoad[] }>(flags, 'GET', path)
      printLine(flags.json ? JSON.stringify(data) : loadsText(data))
    })
  const conflicts = withServerFlags(new Command('conflicts'))
    .argument('<id>', 'destination to compare with')
    .description('compare events that were seen with the tables: which columns do not fit their values')
    .addHelpText(
      'after',
      `
A value that does not fit its column becomes NULL in its row, and a row in rudder_discards. Values are those of the
sampled events of the schema catalogue. Exits with 1 when there are conflicts.

Examples:
  sluice warehouse conflicts warehouse`,
    )
    .action(async (id: string, flags: ServerFlags) => {
      const path = `/v2/warehouses/${encodeURIComponent(id)}/conflicts`
      const { data } = await askServer<{ data: readonly ReportedConflict[] }>(flags, 'GET', path)
      printLine(flags.json ? JSON.stringify(data) : conflictsText(data))
      if (data.length > 0) process.exitCode = 1
    })
  const plan = withDestinationFlags(new Command('plan'), 'type of the warehouse, such as duckdb or postgres')
    .description('show which tables and columns a file of events would add, and which values would not fit')
    .requiredOption('--events <file.ndjson>', 'events, one JSON object per line; - reads standard input')
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
It connects to the warehouse, and changes nothing.

Examples:
  sluice warehouse plan --events events.ndjson --destination duckdb --settings '{"path":"events.duckdb"}'
  sluice warehouse plan --events events.ndjson --destination postgres --settings @warehouse.json --json`,
    )
    .action(async (flags: PlanFlags) => (await import('./plan-load.ts')).planLoad(flags))
  return new Command('warehouse')
    .description('see and start loads into warehouses, and plan them')
    .addCommand(status)
    .addCommand(sync)
    .addCommand(history)
    .addCommand(conflicts)
    .addCommand(plan)
    .addHelpText(
      'after',
      `
Examples:
  sluice warehouse status
  sluice warehouse sync warehouse
  sluice warehouse plan --events events.ndjson --destination duckdb --settings '{"path":"events.duckdb"}'`,
    )
}
