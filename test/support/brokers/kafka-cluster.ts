import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A message that the cluster has stored. */
export interface StoredMessage {
  readonly partition: number
  readonly offset: number
  readonly key: string | null
  readonly payload: string
}

export interface KafkaCluster {
  /** Addresses of the brokers, separated by commas. */
  readonly brokers: string
  /** Messages of the topic that was named, in the order of each partition. */
  readonly messages: readonly StoredMessage[]
  close(): Promise<void>
}

/** Returns why tests that need a cluster cannot run; undefined when they can. Prints the reason. */
export function noKafkaCluster(): string | undefined {
  if (spawnSync('kcat', ['-V']).status === 0) return undefined
  const reason = 'kcat, which has a cluster of Kafka for tests, is not installed (apt-get install kcat)'
  process.stdout.write(`tests of Kafka skipped: ${reason}\n`)
  return reason
}

/** Starts the cluster of three brokers of librdkafka, which speaks Kafka's protocol, and reads a topic of four partitions from it. */
export async function startKafkaCluster(topic: string): Promise<KafkaCluster> {
  const args = [
    '-X',
    'test.mock.num.brokers=3',
    '-b',
    'mock',
    '-C',
    '-t',
    topic,
    '-o',
    'beginning',
    '-J',
    '-u',
    '-d',
    'mock',
  ]
  const child: ChildProcess = spawn('kcat', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const messages: StoredMessage[] = []
  if (child.stdout === null || child.stderr === null) throw new Error('kcat has no output')
  createInterface({ input: child.stdout }).on('line', (line) => messages.push(JSON.parse(line) as StoredMessage))
  const lines = createInterface({ input: child.stderr })
  const brokers = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const [, found] = /bootstrap\.servers=([\d.:,]+)/.exec(line) ?? []
      if (found) resolve(found)
    })
    void ended.then(() => reject(new Error('kcat ended before its cluster was ready')))
  })
  return {
    brokers,
    messages,
    async close() {
      child.kill()
      await ended
    },
  }
}
