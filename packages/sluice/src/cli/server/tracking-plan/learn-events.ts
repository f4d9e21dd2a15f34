import type { CatalogueDetail, CatalogueModels, CatalogueValues } from '@sluice/http'
import { createEventLearner, type LearntEvent, learntFromCatalogue } from '@sluice/schema'
import { CliError } from '../../cli-error.ts'
import { acceptedEvents } from '../../offline/accepted-events.ts'
import { requireReadable } from '../../read-ndjson.ts'
import { Progress } from '../../terminal/progress.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'

export interface LearnFlags extends ServerFlags {
  /** File with events; without it, the catalogue of the server is read. */
  readonly events?: string
  readonly source?: string
}

/** Learns what events have, from a file or from the catalogue of a server. */
export function learnEvents(flags: LearnFlags): Promise<readonly LearntEvent[]> {
  return flags.events === undefined ? learnFromServer(flags) : learnFromFile(flags.events)
}

async function learnFromFile(file: string): Promise<readonly LearntEvent[]> {
  await requireReadable('--events', file)
  const learner = createEventLearner()
  const refused = { count: 0 }
  for await (const event of acceptedEvents(file, refused)) learner.add(event)
  if (refused.count > 0) process.stderr.write(`${refused.count} events are left out because ingestion refuses them\n`)
  const learnt = learner.learnt()
  if (learnt.length === 0) throw new CliError(`--events: ${file} contains no event that ingestion accepts`)
  if (learner.leftOut() > 0) process.stderr.write(`${learner.leftOut()} events are left out: they have no name\n`)
  return learnt
}

async function learnFromServer(flags: LearnFlags): Promise<readonly LearntEvent[]> {
  const query = flags.source === undefined ? '' : `?sourceId=${encodeURIComponent(flags.source)}`
  const { models } = await askServer<CatalogueModels>(flags, 'GET', `/v2/catalogue/models${query}`)
  if (models.length === 0) throw new CliError('the catalogue has no events; send some, or name a file with --events')
  const sources = [...new Set(models.map(({ sourceId }) => sourceId))]
  if (sources.length > 1)
    throw new CliError(`events came from several sources; choose one with --source: ${sources.join(', ')}`)
  const progress = new Progress(process.stderr)
  const learnt: LearntEvent[] = []
  for (const { id, type, event, totalCount } of [...models].reverse()) {
    const path = `/v2/catalogue/models/${encodeURIComponent(id)}`
    const { keyCounts } = await askServer<CatalogueDetail>(flags, 'GET', path)
    const schema = await askServer<Record<string, never>>(flags, 'GET', `${path}/json-schema`)
    const { frequentValues, samples } = await askServer<CatalogueValues>(flags, 'GET', `${path}/values`)
    const model = { type, event, totalCount, schema, keyCounts, frequentValues, samples: samples as readonly object[] }
    const found = learntFromCatalogue(model as Parameters<typeof learntFromCatalogue>[0])
    if (found !== undefined) learnt.push(found)
    progress.update(`${learnt.length} of ${models.length} events`)
  }
  progress.done(`${learnt.length} events of the catalogue`)
  return learnt
}
