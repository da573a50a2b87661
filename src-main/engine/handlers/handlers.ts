// Assembles the handlers, one for each procedure of the contract; a missing one is a compile error. Failures are returned as values.
import type { Handlers } from '../../../src-shared/contract.ts'
import type { Services } from '../core.ts'
import { createAccountHandlers } from './account.ts'
import { createCatalogHandlers } from './catalog.ts'
import { createFolderHandlers } from './folders.ts'
import { createQueueHandlers } from './queue.ts'

export function createHandlers(services: Services): Handlers {
  return {
    ...createQueueHandlers(services),
    ...createFolderHandlers(services),
    ...createCatalogHandlers(services),
    ...createAccountHandlers(services),
  }
}
