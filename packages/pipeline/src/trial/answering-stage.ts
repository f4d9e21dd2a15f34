import { drop, fail, type Outcome, pass, type SourcedEvent, type Stage } from '@sluice/core'
import { continueMapping, createExchange, createQuestions, type Questions, waitingMapping } from '@sluice/delivery'
import { type DestinationDefinition, type MappedEvent, nothingToSend } from '@sluice/destinations/kit'
import type { FlowParts } from '../flow/build-flow.ts'
import { wrapStage } from '../flow/stages/wrap-stage.ts'
import { settingsForSending } from './trial-sending.ts'

/** Milliseconds for one question. */
const timeMs = 10_000

/** A destination, with the settings of one call. */
interface TrialPlace {
  readonly definition: DestinationDefinition
  readonly settings: Parameters<typeof settingsForSending>[1]['chosen']
  readonly stored?: Parameters<typeof settingsForSending>[1]['stored']
}

/**
 * Returns a destination transform that asks the product what its mappings need, so that its outputs have requests.
 * Questions that change data there are only asked when the trial sends; otherwise the event fails with that reason.
 */
export function answeringStage(
  stage: Stage<SourcedEvent, MappedEvent>,
  place: TrialPlace,
  sends: boolean,
  { transport, clock }: Pick<FlowParts, 'transport' | 'clock'>,
): Stage<SourcedEvent, MappedEvent> {
  const { definition, settings, stored = settings } = place
  const used = settingsForSending(definition, { chosen: settings, stored })
  const exchange = createExchange({
    definition,
    settings: used,
    transport,
    lookupTransport: transport,
    clock,
    timeMs,
  })
  const questions = createQuestions({ exchange, clock })
  return wrapStage(stage, async (batch, signal) => {
    const outcomes = await stage.run(batch, signal)
    return Promise.all(
      outcomes.map((outcome) =>
        outcome.kind === 'pass' ? answered(outcome.items[0], questions, sends, signal) : outcome,
      ),
    )
  })
}

async function answered(
  item: MappedEvent | undefined,
  questions: Questions,
  sends: boolean,
  signal: AbortSignal,
): Promise<Outcome<MappedEvent>> {
  if (item?.open === undefined) return item ? pass(item) : drop(nothingToSend)
  const { open, ...mapped } = item
  for (let waiting = waitingMapping(open); ; ) {
    const { ask } = waiting
    if (ask.changesData && !sends) {
      const message = `The mapping first sends a request that changes data: ${ask.request.method} ${ask.request.endpoint}. Send the event to see its requests.`
      return fail({ code: 'destination.event', message })
    }
    const { answer, exchange } = await questions.ask(ask, signal)
    if (answer === undefined) {
      const message = `The mapping needs an answer from the destination. ${exchange.judgement.cause}`
      return fail({ code: 'deliver.unavailable', message })
    }
    const continued = continueMapping(waiting, answer)
    if (continued.kind === 'failed') return fail(continued.error)
    if (continued.kind === 'mapped') {
      const { requests } = continued
      return requests.length === 0 ? drop(nothingToSend) : pass({ ...mapped, requests })
    }
    waiting = continued.mapping
  }
}
