// All handlers of the contract, one for each procedure. A missing one is a compile error; what each does is in the file of its topic.
// A failure is always a value.
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
