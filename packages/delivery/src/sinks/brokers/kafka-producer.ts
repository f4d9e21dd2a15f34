import type { StreamMessage, StreamResult } from '@sluice/destinations'
import type { Kafka, Message, PartitionMetadata, Producer } from 'kafkajs'
import type { brokerClient } from './broker-clients.ts'
import { isOfMessages, kafkaFailure, refusalOf } from './kafka-failure.ts'

type Client = Awaited<ReturnType<typeof brokerClient<'kafkajs'>>>

/**
 * Produces messages to one topic. Each topic has a producer of its own, because a client that knows several asks for all of them
 * together, and fails for all when one of them may not be written to any more.
 */
export class KafkaProducer {
  readonly #topic: string
  readonly #compression: number
  readonly #producer: Producer
  readonly #partitionOf: ReturnType<Client['Partitioners']['DefaultPartitioner']>
  /** Known after the first message. */
  #partitions: PartitionMetadata[] | undefined
  #running = 0
  #isRetired = false

  constructor(kafka: Kafka, client: Client, topic: string, isCompressed: boolean) {
    this.#topic = topic
    this.#compression = isCompressed ? client.CompressionTypes.GZIP : client.CompressionTypes.None
    this.#partitionOf = client.Partitioners.DefaultPartitioner()
    const createPartitioner: Client['Partitioners']['DefaultPartitioner'] = () => (given) => {
      this.#partitions = given.partitionMetadata
      return this.#partitionOf(given)
    }
    this.#producer = kafka.producer({ createPartitioner })
  }

  /** @throws the error of the client. */
  connect(): Promise<void> {
    return this.#producer.connect()
  }

  /** False after the connection failed: another producer takes its place. */
  get isUsable(): boolean {
    return !this.#isRetired
  }

  /** Takes no more messages. Disconnects when those under way have ended. */
  retire(): void {
    this.#isRetired = true
    if (this.#running === 0) this.destroy()
  }

  /** Disconnects at once. */
  destroy(): void {
    this.#isRetired = true
    this.#producer.disconnect().catch(() => {})
  }

  /**
   * Kafka stores or refuses the messages of a partition together, so each partition is sent to by itself: what it has acknowledged is
   * not sent again because of another one. @throws the error of `kafkaFailure`.
   */
  async publish(messages: readonly StreamMessage[]): Promise<readonly StreamResult[]> {
    this.#running += 1
    try {
      // The first one alone, as long as it is not known which partitions there are.
      const [first, ...others] = messages
      if (this.#partitions === undefined && first) {
        const [result] = await this.#inHalves([first])
        if (this.#partitions === undefined) return messages.map(() => result as StreamResult)
        return await this.#byPartition([first, ...others], [result as StreamResult])
      }
      return await this.#byPartition(messages, [])
    } finally {
      this.#running -= 1
      if (this.#isRetired && this.#running === 0) this.destroy()
    }
  }

  /** @param known results of the first messages, which were sent already: one or none. */
  async #byPartition(
    messages: readonly StreamMessage[],
    known: readonly StreamResult[],
  ): Promise<readonly StreamResult[]> {
    const partitionMetadata = this.#partitions ?? []
    const groups = new Map<number, number[]>()
    for (const [index, message] of messages.entries()) {
      // Only the key decides.
      const keyed = { key: keyOf(message), value: null }
      const partition = this.#partitionOf({ topic: this.#topic, partitionMetadata, message: keyed })
      const indexes = groups.get(partition)
      if (indexes) indexes.push(index)
      else groups.set(partition, [index])
    }
    const results: StreamResult[] = []
    const sending = [...groups].map(async ([partition, indexes]) => {
      const before = indexes[0] === 0 ? known : []
      const own = indexes.slice(before.length).map((index) => messages[index] as StreamMessage)
      for (const [place, result] of (await this.#following(before, own, partition)).entries())
        results[indexes[place] as number] = result
    })
    await Promise.all(sending)
    return results
  }

  /**
   * Sends messages after others of their partition, whose results it returns too. If one of those has to be sent again, none is sent:
   * it has to wait for it, so that the messages of a user stay in order.
   */
  async #following(
    before: readonly StreamResult[],
    messages: readonly StreamMessage[],
    partition?: number,
  ): Promise<readonly StreamResult[]> {
    const retried = before.find(({ status }) => status >= 500)
    return [...before, ...(retried ? messages.map(() => retried) : await this.#inHalves(messages, partition))]
  }

  /** Messages that are refused because of one of them are sent in halves, in their order. */
  async #inHalves(messages: readonly StreamMessage[], partition?: number): Promise<readonly StreamResult[]> {
    if (messages.length === 0) return []
    try {
      await this.#producer.send({
        topic: this.#topic,
        acks: -1,
        compression: this.#compression,
        messages: messages.map((each) => ({ ...recordOf(each), ...(partition === undefined ? {} : { partition }) })),
      })
      return messages.map(() => ({ status: 200 }))
    } catch (error) {
      if (!isOfMessages(error) || messages.length === 1) return messages.map(() => this.#resultOf(error))
      const middle = Math.ceil(messages.length / 2)
      const first = await this.#inHalves(messages.slice(0, middle), partition)
      return this.#following(first, messages.slice(middle), partition)
    }
  }

  #resultOf(error: unknown): StreamResult {
    if (refusalOf(error) === undefined) this.#isRetired = true
    return kafkaFailure(error)
  }
}

function keyOf({ userId }: StreamMessage): string | null {
  return userId === '' ? null : userId
}

/** Returns the record of a message. */
function recordOf(each: StreamMessage): Message {
  const { message = {} } = each
  return {
    key: keyOf(each),
    value: JSON.stringify(message),
    headers: typeof message['messageId'] === 'string' ? { messageId: message['messageId'] } : {},
  }
}
