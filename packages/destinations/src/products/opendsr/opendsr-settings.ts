import { customerIdType, openDsrIdentityTypes } from '@sluice/core/opendsr'
import { type Static, Type } from 'typebox'
import { webAddress } from '../../kit/index.ts'

/** Types of identities that processors may support. `phone` is none of OpenDSR, but some take it. */
const identityTypes = [...openDsrIdentityTypes, 'phone'] as const

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
      default: [customerIdType],
      description:
        'Identities to send, of those that the /discovery of the processor lists. A user must have the first one. controller_customer_id is the userId.',
    }),
  ),
})

export type OpendsrSettings = Static<typeof opendsrSettings>
