/** The entry has the one name in the build that stays; what it loads is named by its hash, styles included. */
void import('./app.tsx').then(({ renderPortal }) => renderPortal());
