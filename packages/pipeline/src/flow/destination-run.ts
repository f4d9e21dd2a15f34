import { drop, type Event, InvariantError, type SourcedEvent, type Stage, type StageError } from '@sluice/core'
import type { Delivery, DeliveryHistory } from '@sluice/delivery'
import { deliverStageName } from '@sluice/delivery/flow'
import type { MappedEvent } from '@sluice/destinations'
import type { DestinationPath, PathInput, SourcedRequest } from './destination-path.ts'
import { type DestinationResult, ResultBuilder } from './destination-result.ts'
import { brokenBy, type Ending, outcomesOf, runStage, stageOf, type Tracked } from './run-stage.ts'

/** Sees what each stage makes of a batch: for trials and offline tests, which show it, and for consumers. */
export interface RunWatch {
  /** The outputs that enter the mapping, with the index of the event they were made from. */
  onOutputs?(outputs: readonly Tracked<SourcedEvent>[]): void
  /** What the mapping made of an output, given by its index among the outputs. */
  onMapped?(output: number, mapped: MappedEvent): void
  /** An output that ended, given by its index among the outputs. */
  onOutputEnded?(output: number, ending: Pick<Ending, 'stage' | 'outcome'>): void
  /** The outputs of the batch are with the delivery: those of a later batch come behind them. */
  onSending?(): void
  /** An output is deferred: from now on, later events of its user must not overtake it. Called at once. */
  onDeferred?(userKey: string): void
  /** Whether the caller keeps events whose attempts take long, while these still run: see `Deferral.running`. */
  readonly keepsAttempts?: boolean
}

/** An output of the user transformation: new, or still to be delivered from an earlier run. */
interface Output {
  /** Index of the event it was made from. */
  readonly event: number
  readonly item: SourcedEvent
  readonly history?: DeliveryHistory
}

/** Requests of an output. */
interface OutputRequests {
  /** Index among the outputs. */
  readonly output: number
  readonly item: SourcedRequest
}

/**
 * One run of a batch through the stages of a destination. Keeps track of the event each output came from, and adds up one
 * result per event, which it passes on as soon as all outputs of the event have ended.
 */
export class DestinationRun {
  readonly #inputs: ReadonlyMap<number, PathInput>
  readonly #signal: AbortSignal
  readonly #ended: (result: DestinationResult) => void
  readonly #watch: RunWatch
  readonly #results: ReadonlyMap<number, ResultBuilder>
  #outputs: readonly Output[] = []
  /** Events with outputs that are on their way, and how many. */
  readonly #left = new Map<number, number>()

  /** @param ended called once for each event. */
  constructor(
    inputs: readonly PathInput[],
    signal: AbortSignal,
    ended: (result: DestinationResult) => void,
    watch: RunWatch = {},
  ) {
    this.#inputs = new Map(inputs.map((input) => [input.origin, input]))
    this.#signal = signal
    this.#ended = ended
    this.#watch = watch
    this.#results = new Map(inputs.map(({ origin }) => [origin, new ResultBuilder(origin)]))
  }

  /**
   * Takes the events through the stages of a path to their requests, and holds the memory for outputs of user code until
   * `use` is done with them.
   */
  async toRequests(path: DestinationPath, use: (requests: readonly OutputRequests[]) => Promise<void>): Promise<void> {
    const fresh = this.#fresh
    const share = fresh.length > 0 ? path.outputs : undefined
    const leave = await share?.enter(fresh.length, this.#signal)
    try {
      let events = fresh
      for (const stage of path.before) events = await this.#through(stage, events)
      await use(await this.#map(path.map, events))
    } finally {
      leave?.()
    }
  }

  /** Events that start at the first stage. */
  get #fresh(): readonly Tracked<SourcedEvent>[] {
    return [...this.#inputs.values()].filter(({ outputs }) => outputs === undefined)
  }

  /** Runs a stage that decides about events or changes them. */
  async #through(
    stage: Stage<SourcedEvent>,
    events: readonly Tracked<SourcedEvent>[],
  ): Promise<readonly Tracked<SourcedEvent>[]> {
    const { passed, endings } = await runStage(stage, events, this.#signal)
    for (const ending of endings) this.#results.get(ending.origin)?.ended(ending)
    return passed
  }

  /** Maps events, and the outputs that are left from earlier runs, to requests. */
  async #map(
    stage: Stage<SourcedEvent, MappedEvent>,
    events: readonly Tracked<SourcedEvent>[],
  ): Promise<readonly OutputRequests[]> {
    const fresh = events.map(({ origin, item }): Output => ({ event: origin, item }))
    this.#outputs = [...fresh, ...[...this.#inputs.values()].flatMap(outputsLeft)]
    this.#watch.onOutputs?.(this.#outputs.map(({ event, item }) => ({ origin: event, item })))
    const items = this.#outputs.map(({ item }) => item)
    const outcomes = await outcomesOf(stage, items, this.#signal)
    const requests: OutputRequests[] = []
    for (const [index, output] of this.#outputs.entries()) {
      const outcome = outcomes[index] ?? drop('no outcome')
      if (outcome.kind !== 'pass') this.#outputEnded(index, { stage: stageOf(stage.name, outcome), outcome })
      else
        for (const mapped of outcome.items) {
          this.#watch.onMapped?.(index, mapped)
          requests.push({ output: index, item: this.#deliverable(mapped, output) })
          this.#count(index, 1)
        }
    }
    // What has no requests has ended.
    for (const event of this.#results.keys()) if (!this.#left.has(event)) this.#pass(event)
    return requests
  }

  /** Sends requests. */
  async send(send: DestinationPath['send'], requests: readonly OutputRequests[]): Promise<void> {
    if (requests.length === 0) return this.#watch.onSending?.()
    const open = new Map(requests.map(({ output }, index) => [index, output]))
    const settled: Parameters<typeof send>[1]['settled'] = (index, outcome) => {
      const output = open.get(index)
      if (output === undefined || this.#signal.aborted) return
      open.delete(index)
      if (outcome.kind === 'pass') for (const delivery of outcome.items) this.#delivered(output, delivery)
      else this.#outputEnded(output, { stage: stageOf(deliverStageName, outcome), outcome })
      this.#count(output, -1)
    }
    const items = requests.map(({ item }) => item)
    try {
      const sent = send(items, { signal: this.#signal, settled })
      this.#watch.onSending?.()
      await sent
      if (open.size > 0) throw new InvariantError(`${open.size} of ${items.length} events have not settled`)
    } catch (thrown) {
      const broken = brokenBy(deliverStageName, thrown)
      for (const index of [...open.keys()]) settled(index, broken)
    }
    this.#signal.throwIfAborted()
  }

  /** Hands requests to what collects them: an event that it takes counts as delivered, and is recorded with its load. */
  collect(collect: (item: SourcedRequest) => StageError | undefined, requests: readonly OutputRequests[]): void {
    for (const { output, item } of requests) {
      const error = collect(item)
      if (error === undefined) this.#resultOf(output)?.collected()
      else this.#outputEnded(output, { stage: deliverStageName, outcome: { kind: 'fail', error } })
      this.#count(output, -1)
    }
  }

  /** Adds outputs that are on their way. Once none of an event is left, the event has ended. */
  #count(output: number, change: number): void {
    const event = this.#outputs[output]?.event ?? -1
    const left = (this.#left.get(event) ?? 0) + change
    this.#left.set(event, left)
    if (left === 0) this.#pass(event)
  }

  #pass(event: number): void {
    const result = this.#results.get(event)
    if (result) this.#ended(result.build(deliverStageName))
  }

  #deliverable(mapped: MappedEvent, { event, item: output, history }: Output): SourcedRequest {
    const source = this.#inputs.get(event)?.item ?? output
    const { receivedAt } = source
    return {
      ...mapped,
      source,
      output,
      receivedAt,
      history,
      mayRunOn: this.#watch.keepsAttempts || undefined,
    }
  }

  #delivered(output: number, delivery: Delivery): void {
    if (delivery.kind === 'deferred') this.#watch.onDeferred?.(delivery.userKey)
    this.#resultOf(output)?.delivered(delivery, this.#outputs[output]?.item)
  }

  #outputEnded(output: number, ending: Pick<Ending, 'stage' | 'outcome'>): void {
    this.#watch.onOutputEnded?.(output, ending)
    this.#resultOf(output)?.ended(ending, this.#outputs[output]?.item)
  }

  #resultOf(output: number): ResultBuilder | undefined {
    return this.#results.get(this.#outputs[output]?.event ?? -1)
  }
}

function outputsLeft({ origin, item, outputs = [] }: PathInput): readonly Output[] {
  return outputs.map(({ event, history }: { event: Event; history: DeliveryHistory }) => ({
    event: origin,
    item: { ...item, event },
    history,
  }))
}
