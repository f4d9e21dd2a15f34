import { defineDeletionOnly } from '../../kit/index.ts'
import { sendgridDeletion } from './sendgrid-deletion.ts'
import { sendgridSettings } from './sendgrid-settings.ts'

/** Deletes contacts at SendGrid. */
export const sendgrid = defineDeletionOnly({
  type: 'SENDGRID',
  displayName: 'Sendgrid',
  settings: sendgridSettings,
  secrets: ['apiKey'],
  limits: ['Contacts are deleted by their SendGrid id, which must be the userId.'],
  deletion: sendgridDeletion,
})
