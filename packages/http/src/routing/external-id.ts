import Type from 'typebox'

/** An id that a client gives to a record, to find it again. */
export const ExternalId = Type.String({
  format: 'text',
  minLength: 1,
  maxLength: 200,
  description: 'text of 1 to 200 characters, unique within its kind',
})

export const ExternalIdBody = Type.Object({ externalId: ExternalId })
