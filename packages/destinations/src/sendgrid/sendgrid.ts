import { Type } from 'typebox'
import { defineDeletionOnly } from '../define-deletion-only.ts'
import { sendgridDeletion } from './sendgrid-deletion.ts'

/** Deletes contacts at SendGrid. */
export const sendgrid = defineDeletionOnly({
  type: 'SENDGRID',
  displayName: 'SendGrid',
  settings: Type.Object({
    apiKey: Type.Optional(Type.String({ description: 'API key of the SendGrid account.' })),
  }),
  secrets: ['apiKey'],
  limits: ['Contacts are deleted by the id that SendGrid gave them, which has to be the userId.'],
  deletion: sendgridDeletion,
})
