import type { Sluice } from '../../../../sluice.ts'
import { peakMemory } from '../../../peak-memory.ts'
import { printLine } from '../../../terminal/print-line.ts'
import { outputWidth } from '../../../terminal/wrap.ts'
import type { SampleReceiver } from '../sample/sample-receiver.ts'
import { flowReport } from './flow-report.ts'

/**
 * Prints where all events went. Sets the exit status to 1 when the sums do not agree.
 * @param receiver its count of requests must agree too.
 */
export async function reportFlow(sluice: Sluice, folder: string, receiver: SampleReceiver | undefined): Promise<void> {
  let requests = 0
  let sumsAgree = true
  for (const workspace of sluice.workspaces) {
    const stats = await sluice.stats(workspace.id)
    const { text, ...flow } = flowReport(workspace, stats, outputWidth())
    printLine(`\nWorkspace ${workspace.name}\n\n${text}`)
    sumsAgree &&= flow.sumsAgree
    const webhooks = new Set(workspace.destinations.flatMap(({ id, type }) => (type === 'WEBHOOK' ? id : [])))
    for (const { destinations } of stats)
      for (const { destinationId, outputs } of destinations) if (webhooks.has(destinationId)) requests += outputs
  }
  if (receiver) {
    printLine(`The receiver accepted ${receiver.taken()} requests, ${requests} were delivered.`)
    sumsAgree &&= receiver.taken() === requests
  }
  const megabytes = Math.round(peakMemory() / 1_048_576)
  printLine(`Store: ${folder} · memory at most ${megabytes} MB`)
  if (!sumsAgree) process.exitCode = 1
}
