import RichText
