import { Type } from 'typebox'
import { defineDeletionOnly } from '../../kit/define/define-deletion-only.ts'
import { emarsysDeletion } from './emarsys-deletion.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

/** Deletes contacts at Emarsys. */
export const emarsys = defineDeletionOnly({
  type: 'EMARSYS',
  displayName: 'Emarsys',
  settings: Type.Object({
    emersysUsername: text('Name of an API user of the Emarsys account.'),
    emersysUserSecret: text('Secret of the API user.'),
    emersysCustomIdentifier: text('Id of the field that identifies contacts; that of the e-mail address when empty.'),
    defaultContactList: text('Id of the contact list that contacts are in.'),
    fieldMapping: Type.Array(
      Type.Object({
        rudderProperty: text('Name of a trait.'),
        emersysProperty: text('Id of the field of Emarsys that it goes into.'),
      }),
      { default: [], description: 'Traits and the fields of Emarsys that hold them.', allowed: 'a list of pairs' },
    ),
  }),
  secrets: ['emersysUserSecret'],
  limits: ['Contacts are deleted by the trait of their identifying field: a regulation has to name it.'],
  deletion: emarsysDeletion,
})
