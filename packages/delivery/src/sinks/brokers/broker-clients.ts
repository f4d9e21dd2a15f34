import { ClientMissingError } from '../../transport/client-missing-error.ts'

/** Packages with the clients of brokers. None is installed with Sluice, because few programs need one. */
interface BrokerClients {
  readonly kafkajs: typeof import('kafkajs')
  readonly mqtt: typeof import('mqtt')
  readonly amqplib: typeof import('amqplib')
  readonly '@redis/client': typeof import('@redis/client')
  readonly '@nats-io/transport-node': typeof import('@nats-io/transport-node')
  readonly '@nats-io/jetstream': typeof import('@nats-io/jetstream')
}

/**
 * Loads the client of a broker, when a first request needs it.
 * @throws ClientMissingError when its package is not installed.
 */
export async function brokerClient<Name extends keyof BrokerClients>(name: Name): Promise<BrokerClients[Name]> {
  try {
    // Not as a constant: bundlers would insist on packages that only few install.
    return namesOf((await import(name)) as BrokerClients[Name] & { readonly default?: BrokerClients[Name] })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Also when the client itself lacks a package: that is reported unchanged.
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error
    throw new ClientMissingError(name)
  }
}

/** Node finds only some names of packages that are not modules, such as none of the errors of kafkajs; all are in `default`. */
function namesOf<Client extends object>(loaded: Client & { readonly default?: Client }): Client {
  return { ...loaded.default, ...loaded }
}
