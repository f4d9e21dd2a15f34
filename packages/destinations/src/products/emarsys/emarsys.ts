import { Type } from 'typebox'
import { defineDeletionOnly, field } from '../../kit/index.ts'
import { emarsysDeletion } from './emarsys-deletion.ts'

const text = (title: string, description: string) => field.text({ title, description })

const member = (description: string) => Type.Optional(Type.String({ description }))

/** Deletes contacts at Emarsys. */
export const emarsys = defineDeletionOnly({
  type: 'EMARSYS',
  displayName: 'Emarsys',
  settings: Type.Object({
    emersysUsername: text('User name', 'Name of an API user of the Emarsys account.'),
    emersysUserSecret: text('Secret', 'Secret of the API user.'),
    emersysCustomIdentifier: text(
      'Identifying field',
      'Id of the field that identifies contacts; the email field when empty.',
    ),
    defaultContactList: text('Contact list', 'Id of the contact list.'),
    fieldMapping: field.list(
      Type.Object({
        rudderProperty: member('Name of a trait.'),
        emersysProperty: member('Id of the Emarsys field for the trait.'),
      }),
      { title: 'Fields of traits', description: 'Traits and their Emarsys fields.', allowed: 'a list of pairs' },
    ),
  }),
  secrets: ['emersysUserSecret'],
  limits: ['Contacts are deleted by the trait of their identifying field, which the regulation must contain.'],
  deletion: emarsysDeletion,
})
