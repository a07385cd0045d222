//! The pure heart of Promptdeck: registries, hydration, output policy, requests and chat templates.
