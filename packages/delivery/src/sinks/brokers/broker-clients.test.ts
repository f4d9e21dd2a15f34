import { expect, it } from 'vitest'
import { ClientMissingError } from '../../transport/client-missing-error.ts'
import { sendFailure } from '../../transport/send-failure.ts'
import { brokerClient } from './broker-clients.ts'

it('loads the client of a broker that is installed', async () => {
  expect(await brokerClient('kafkajs')).toHaveProperty('Kafka')
})

it('reports a missing client with the command that installs it, and lets the request be tried again', () => {
  const request = { method: 'POST', endpoint: 'mqtt://broker.test', headers: {}, params: {} }
  expect(sendFailure(new ClientMissingError('mqtt'), request as unknown as Parameters<typeof sendFailure>[1])).toEqual({
    kind: 'network',
    code: 'ERR_CLIENT_MISSING',
    message: 'The destination needs the package mqtt beside Sluice: npm install mqtt, then restart.',
  })
})
