import type { TrackingPlan } from '@sluice/core'
import type { PlanCheck } from '@sluice/http'
import { createPlanReview } from '@sluice/schema'
import { CliError } from '../../cli-error.ts'
import { acceptedEvents } from '../../offline/accepted-events.ts'
import { requireReadable } from '../../read-ndjson.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'
import { readPlan } from './read-plan.ts'
import { reviewMarkdown } from './review-markdown.ts'
import { reviewText } from './review-text.ts'

export interface PlanCheckFlags extends ServerFlags {
  readonly events?: string
  readonly source?: string
  readonly event?: string
  readonly limit: number
  readonly markdown?: true
}

/** Runs `sluice plan check`. Exit status 1 when there are violations, 2 when nothing could be checked. */
export async function runPlanCheck(path: string, flags: PlanCheckFlags): Promise<void> {
  const report = await reportOf(path, flags).catch((error: unknown) => {
    // A mistake must not have the status of a violation.
    if (error instanceof CliError) throw new CliError(error.message, 2)
    throw new CliError(error instanceof Error ? (error.stack ?? error.message) : String(error), 2)
  })
  if (report.violating > 0) process.exitCode = 1
  if (flags.json) printLine(JSON.stringify(report))
  else printLine(flags.markdown ? reviewMarkdown(report).trimEnd() : reviewText(report))
}

async function reportOf(path: string, flags: PlanCheckFlags): Promise<PlanCheck> {
  const plan = await readPlan(path, flags.source)
  if (flags.events !== undefined) return reportOfFile(flags.events, plan, flags.event)
  const { source: sourceId, event, limit } = flags
  if (sourceId === undefined)
    throw new CliError('name the source whose events are checked with --source, or a file with --events')
  return askServer<PlanCheck>(flags, 'POST', '/v2/tracking-plans/check', { sourceId, plan, event, limit })
}

async function reportOfFile(file: string, plan: TrackingPlan, name: string | undefined): Promise<PlanCheck> {
  await requireReadable('--events', file)
  const review = createPlanReview(plan)
  const refused = { count: 0 }
  for await (const event of acceptedEvents(file, refused))
    if (name === undefined || event['event'] === name) review.add(event)
  if (refused.count > 0) process.stderr.write(`${refused.count} events are left out because ingestion refuses them\n`)
  const report = review.report()
  if (report.events === 0)
    throw new CliError(`--events: ${file} contains no event that is wanted and that ingestion accepts`)
  return { ...report, groups: [...report.groups], isCut: false }
}
