import { Type } from 'typebox'
import { defineDeletionOnly } from '../../kit/index.ts'
import { emarsysDeletion } from './emarsys-deletion.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

/** Deletes contacts at Emarsys. */
export const emarsys = defineDeletionOnly({
  type: 'EMARSYS',
  displayName: 'Emarsys',
  settings: Type.Object({
    emersysUsername: text('Name of an API user of the Emarsys account.'),
    emersysUserSecret: text('Secret of the API user.'),
    emersysCustomIdentifier: text('Id of the field that identifies contacts; the email field when empty.'),
    defaultContactList: text('Id of the contact list.'),
    fieldMapping: Type.Array(
      Type.Object({
        rudderProperty: text('Name of a trait.'),
        emersysProperty: text('Id of the Emarsys field for the trait.'),
      }),
      { default: [], description: 'Traits and their Emarsys fields.', allowed: 'a list of pairs' },
    ),
  }),
  secrets: ['emersysUserSecret'],
  limits: ['Contacts are deleted by the trait of their identifying field, which the regulation must contain.'],
  deletion: emarsysDeletion,
})
