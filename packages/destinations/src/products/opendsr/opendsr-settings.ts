import { customerIdType, openDsrIdentityTypes } from '@sluice/core/opendsr'
import { type Static, Type } from 'typebox'
import { field, webAddress } from '../../kit/index.ts'

/** Types of identities that processors may support. `phone` is none of OpenDSR, but some take it. */
const identityTypes = [...openDsrIdentityTypes, 'phone'] as const

export const opendsrSettings = Type.Object({
  address: field.text({
    title: 'Address',
    ...webAddress,
    description: 'Address to which requests are posted, such as https://opendsr.vendor.example/v2/requests.',
  }),
  authorization: field.text({
    title: 'Authorization',
    description: 'Value of the header Authorization, such as Bearer and a token.',
  }),
  regulation: Type.Optional(
    field.choiceOf(
      { gdpr: 'GDPR', ccpa: 'CCPA' },
      { title: 'Law', default: 'gdpr', description: 'Law under which users are deleted.' },
    ),
  ),
  identityTypes: Type.Optional(
    field.list(Type.Enum([...identityTypes], { title: 'Identity type' }), {
      title: 'Identities',
      default: [customerIdType],
      description:
        'Identities to send, of those that the /discovery of the processor lists. A user must have the first one. controller_customer_id is the userId.',
    }),
  ),
})

export type OpendsrSettings = Static<typeof opendsrSettings>
