import { type Static, Type } from 'typebox'
import { webAddress } from '../../kit/index.ts'

/** Types of identities that processors may support. Source: OpenDSR specification, 5.1. */
const identityTypes = [
  'controller_customer_id',
  'email',
  'android_advertising_id',
  'android_id',
  'fire_advertising_id',
  'ios_advertising_id',
  'ios_vendor_id',
  'microsoft_advertising_id',
  'microsoft_publisher_id',
  'roku_publisher_id',
  'roku_advertising_id',
  'phone',
] as const

export const opendsrSettings = Type.Object({
  address: Type.Optional(
    Type.String({
      ...webAddress,
      description: 'Address to which requests are posted, such as https://opendsr.vendor.example/v2/requests.',
    }),
  ),
  authorization: Type.Optional(
    Type.String({ description: 'Value of the header Authorization, such as Bearer and a token.' }),
  ),
  regulation: Type.Optional(
    Type.Enum(['gdpr', 'ccpa'], { default: 'gdpr', description: 'Law under which users are deleted.' }),
  ),
  identityTypes: Type.Optional(
    Type.Array(Type.Enum([...identityTypes], { title: 'Identity type' }), {
      default: ['controller_customer_id'],
      description:
        'Identities to send, of those that the /discovery of the processor lists. A user must have the first one. controller_customer_id is the userId.',
    }),
  ),
})

export type OpendsrSettings = Static<typeof opendsrSettings>
