import type { Sluice } from '../sluice.ts'
import { flowReport } from './flow-report.ts'
import type { SampleReceiver } from './sample-receiver.ts'
import { say } from './say.ts'

/** Tells where all events went; sums that do not agree make the exit status 1. @param receiver whose own count must agree too. */
export async function report(sluice: Sluice, folder: string, receiver: SampleReceiver | undefined): Promise<void> {
  let requests = 0
  let sumsAgree = true
  for (const workspace of sluice.workspaces) {
    const stats = await sluice.stats(workspace.id)
    const { text, ...told } = flowReport(workspace, stats)
    say(`\nWorkspace ${workspace.name}\n\n${text}`)
    sumsAgree &&= told.sumsAgree
    for (const { destinations } of stats) for (const { outputs } of destinations) requests += outputs
  }
  if (receiver) {
    say(`The receiver took ${receiver.taken()} requests, ${requests} were delivered.`)
    sumsAgree &&= receiver.taken() === requests
  }
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  say(`Store: ${folder} · memory at most ${megabytes} MB`)
  if (!sumsAgree) process.exitCode = 1
}
